# Stands for an installed raylib in the tests.
add_library(raylib STATIC ${CMAKE_CURRENT_LIST_DIR}/raylib.c)
target_include_directories(raylib PUBLIC ${CMAKE_CURRENT_LIST_DIR})
