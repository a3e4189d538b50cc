# ESP-IDF includes this file before the components, so that each of them may call ossicle_add_character.
find_package(Ossicle REQUIRED PATHS "${CMAKE_CURRENT_LIST_DIR}/../../cmake" NO_DEFAULT_PATH
             NO_CMAKE_FIND_ROOT_PATH)
