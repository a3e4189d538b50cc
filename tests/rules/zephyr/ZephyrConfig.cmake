# Stands for Zephyr's CMake package, as its pages "Modules" and "Application development" describe it: modules
# of EXTRA_ZEPHYR_MODULES have a module.yml that names their Kconfig and their CMakeLists.txt, which sees the
# settings of prj.conf; the program is the library `app`.
project(Zephyr-Kernel C CXX ASM)
set(CMAKE_FIND_ROOT_PATH /nowhere) # as toolchain files do
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
add_library(app STATIC)
execute_process(COMMAND "$ENV{PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/modules.py" "${CMAKE_SOURCE_DIR}/prj.conf"
                        ${EXTRA_ZEPHYR_MODULES}
                OUTPUT_FILE "${CMAKE_BINARY_DIR}/modules.cmake" COMMAND_ERROR_IS_FATAL ANY)
include("${CMAKE_BINARY_DIR}/modules.cmake")
file(WRITE "${CMAKE_BINARY_DIR}/zephyr/empty.c" "typedef int nothing;\n")
add_executable(zephyr_final "${CMAKE_BINARY_DIR}/zephyr/empty.c")
target_link_libraries(zephyr_final PRIVATE -Wl,--whole-archive app -Wl,--no-whole-archive -Wl,--gc-sections)
set_target_properties(zephyr_final PROPERTIES OUTPUT_NAME zephyr.elf
                      RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/zephyr")
