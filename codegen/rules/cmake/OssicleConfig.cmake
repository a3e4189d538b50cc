# find_package(Ossicle) defines
#
#   ossicle_add_character(TARGET FILE...)
#
# which encodes TOML or source files, and adds their C and the runtime to a target;
#
#   ossicle_add_mesh(TARGET FILE [OPTION...])
#
# which adds the mesh of the character whose bank has the same name, with options of `ossicle mesh`, and targets/stage,
# which draws it; and the library
#
#   Ossicle::testing
#
# with the mocks for unit tests and the media. See ../README.md.
find_program(OSSICLE_COMMAND ossicle HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../build/bin"
             DOC "the command of Ossicle")
if(NOT OSSICLE_COMMAND)
    set(Ossicle_FOUND FALSE)
    set(Ossicle_NOT_FOUND_MESSAGE "the command ossicle is not on the path; set OSSICLE_COMMAND to it")
    return()
endif()

get_property(ossicle_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if("C" IN_LIST ossicle_languages AND NOT TARGET Ossicle::testing)
    get_filename_component(ossicle_folder "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
    file(GLOB ossicle_mocks "${ossicle_folder}/targets/testing/*.c" "${ossicle_folder}/targets/media/*.c")
    add_library(ossicle_testing STATIC EXCLUDE_FROM_ALL ${ossicle_mocks})
    target_include_directories(ossicle_testing PUBLIC "${ossicle_folder}/runtime" "${ossicle_folder}/targets"
                               "${ossicle_folder}/targets/media" "${ossicle_folder}/targets/testing")
    add_library(Ossicle::testing ALIAS ossicle_testing)
endif()

# Ends with an error if a line KIND=PATH has a name that CMake cannot pass on. The first four characters end a name in a
# list, or join it to the next one, so that a file could add a source to the program; CMake loses the others when it
# rewrites a depfile. The colon after the letter of a drive is allowed.
function(ossicle_check_names call lines)
    if(lines MATCHES "[^\n]*([][;\\\\#$]|=[^\n]?:[^/]|=[^\n][^\n]+:)[^\n]*")
        message(FATAL_ERROR "${call}: CMake cannot pass on a name with ; [ ] \\ # $ or :; "
                            "rename the file or folder: ${CMAKE_MATCH_0}")
    endif()
endfunction()

function(ossicle_add_character target)
    if(NOT ARGN)
        message(FATAL_ERROR "ossicle_add_character(${target}): name a TOML or source file")
    endif()
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(NOT "C" IN_LIST languages)
        message(FATAL_ERROR "ossicle_add_character(${target}): the runtime is in C; add C to project()")
    endif()
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/ossicle/${target}")
    set(files "")
    foreach(name IN LISTS ARGN)
        get_filename_component(file "${name}" ABSOLUTE)
        list(APPEND files "${file}")
    endforeach()
    set(build "${OSSICLE_COMMAND}" build ${files} -o "${folder}")
    set(compiler "'${CMAKE_C_COMPILER}'")
    if(CMAKE_C_COMPILER_TARGET)
        string(APPEND compiler " --target=${CMAKE_C_COMPILER_TARGET}")
    endif()
    execute_process(COMMAND ${build} --list --compiler "${compiler}" WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
                    RESULT_VARIABLE status OUTPUT_VARIABLE lines ERROR_VARIABLE problem
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${problem}")
    elseif(problem)
        string(STRIP "${problem}" problem)
        message(STATUS "${problem}")
    endif()
    ossicle_check_names("ossicle_add_character(${target})" "${lines}")
    string(REPLACE "\n" ";" lines "${lines}")
    foreach(line IN LISTS lines)
        string(REGEX MATCH "^([a-z-]+)=(.*)$" matched "${line}")
        set(kind "${CMAKE_MATCH_1}")
        set(value "${CMAKE_MATCH_2}")
        if(NOT kind MATCHES "^(define|flag)$")
            get_filename_component(value "${value}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
        endif()
        list(APPEND listed_${kind} "${value}")
    endforeach()
    if(NOT listed_header)
        message(FATAL_ERROR "ossicle_add_character(${target}): ${ARGN}: no C is generated; add generate = \".\"")
    endif()

    if("${listed_runtime}" MATCHES "\\.S(;|$)" AND NOT "ASM" IN_LIST languages)
        message(FATAL_ERROR "ossicle_add_character(${target}): the runtime has assembler for this target; add ASM to project()")
    endif()

    # The manifest comes first: Make looks at its time alone, and it is new whenever the others may be.
    list(GET listed_manifest 0 first)
    add_custom_command(
        OUTPUT ${listed_manifest} ${listed_header} ${listed_source} ${listed_bank} ${listed_image}
        COMMAND ${build} --quiet --depfile "${folder}/ossicle.d"
        COMMAND "${CMAKE_COMMAND}" -E touch "${first}"
        DEPENDS ${listed_input}
        DEPFILE "${folder}/ossicle.d"
        WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
        COMMENT "Encoding ${ARGN}"
        VERBATIM)
    set(settings ${files})
    list(FILTER settings INCLUDE REGEX "\\.toml$")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${settings})

    set_property(TARGET ${target} APPEND PROPERTY OSSICLE_BANKS ${listed_bank})
    set_property(TARGET ${target} APPEND PROPERTY OSSICLE_MANIFESTS ${listed_manifest})
    target_sources(${target} PRIVATE ${listed_header} ${listed_source} ${listed_runtime})
    target_include_directories(${target} PRIVATE ${listed_include} ${listed_runtime-include})
    target_compile_definitions(${target} PRIVATE ${listed_define})
    if(NINTENDO_GBA OR NINTENDO_DS) # devkitPro's linker scripts know .iwram and .itcm alone
        target_compile_definitions(${target} PRIVATE OSC_HOT_EXACT=1)
    endif()
    # The options of a file are those of all programs of the folder: each program has its own flags, which come last.
    get_target_property(flags ${target} OSSICLE_FLAGS)
    if(flags AND listed_flag AND NOT "${flags}" STREQUAL "${listed_flag}")
        message(FATAL_ERROR "ossicle_add_character(${target}): ${ARGN}: another character of ${target} has another target")
    endif()
    if(listed_flag)
        set_target_properties(${target} PROPERTIES OSSICLE_FLAGS "${listed_flag}")
    endif()
    set_property(SOURCE ${listed_source} ${listed_runtime} PROPERTY COMPILE_OPTIONS "$<TARGET_PROPERTY:OSSICLE_FLAGS>")
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        # The linker leaves out what no clip needs.
        set_property(SOURCE ${listed_source} ${listed_runtime} APPEND PROPERTY
                     COMPILE_OPTIONS -ffunction-sections -fdata-sections)
        if(APPLE)
            target_link_options(${target} PRIVATE -Wl,-dead_strip)
        else()
            target_link_options(${target} PRIVATE -Wl,--gc-sections)
        endif()
    endif()
    target_compile_definitions(${target} PRIVATE "$<$<CONFIG:Debug>:OSC_DEBUG=1>") # asserts
endfunction()

function(ossicle_add_mesh target file)
    get_filename_component(file "${file}" ABSOLUTE)
    get_filename_component(name "${file}" NAME_WLE)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/ossicle/${target}")
    set(bank "${folder}/${name}.ossb")
    set(written "${folder}/${name}_mesh.h" "${folder}/${name}_mesh.c")
    ossicle_check_names("ossicle_add_mesh(${target})" "mesh=${file}")
    get_target_property(banks ${target} OSSICLE_BANKS)
    get_target_property(manifests ${target} OSSICLE_MANIFESTS)
    if(NOT bank IN_LIST banks)
        message(FATAL_ERROR "ossicle_add_mesh(${target}): ${file}: no character of ${target} has a bank with the name ${name}.ossb")
    endif()
    # A manifest is new whenever a character was encoded, even if the bank is the same.
    add_custom_command(
        OUTPUT ${written}
        COMMAND "${OSSICLE_COMMAND}" mesh "${file}" --bank "${bank}" -o "${folder}" --quiet ${ARGN}
        COMMAND "${CMAKE_COMMAND}" -E touch ${written}
        DEPENDS "${file}" ${manifests}
        VERBATIM)
    get_filename_component(targets "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../targets" ABSOLUTE)
    file(GLOB sources "${targets}/stage/*.c")
    target_sources(${target} PRIVATE ${written} ${sources})
    target_include_directories(${target} PRIVATE "${targets}/stage" "${targets}/sdk")
    set_property(SOURCE ${written} ${sources} PROPERTY COMPILE_OPTIONS "$<TARGET_PROPERTY:OSSICLE_FLAGS>")
endfunction()
