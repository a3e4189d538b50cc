# Stands for the end of a CMakeLists.txt of the Playdate SDK in the tests: on the device, the game's flags are those of
# the processor, and calls are relocated.
if(TOOLCHAIN STREQUAL "armgcc")
    set(flags -mthumb -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-sp-d16)
    target_compile_options(${PLAYDATE_GAME_DEVICE} PUBLIC ${flags} -mword-relocations -fno-common)
    target_link_options(${PLAYDATE_GAME_DEVICE} PUBLIC ${flags} -nostartfiles --specs=nosys.specs -Wl,--emit-relocs
                        -Wl,--entry=eventHandler)
    set_target_properties(${PLAYDATE_GAME_DEVICE} PROPERTIES OUTPUT_NAME pdex SUFFIX .elf)
    target_include_directories(${PLAYDATE_GAME_DEVICE} PUBLIC "${CMAKE_CURRENT_LIST_DIR}/..")
else()
    set_target_properties(${PLAYDATE_GAME_NAME} PROPERTIES PREFIX "" OUTPUT_NAME pdex)
    target_include_directories(${PLAYDATE_GAME_NAME} PUBLIC "${CMAKE_CURRENT_LIST_DIR}/..")
endif()
