# For GNU Make: encodes OSSICLE_CHARACTERS, TOML or source files, and compiles their C and the runtime to
# OSSICLE_OBJECTS. Uses CC, CPPFLAGS and CFLAGS, and adds to CPPFLAGS and LDFLAGS. See ../README.md.
#
#   OSSICLE           the command (ossicle)
#   OSSICLE_MESHES    files with meshes to draw with targets/stage; each file has the name of its character's bank
#   OSSICLE_MESH      options of `ossicle mesh`, such as those that [import] of the TOML file has
#   OSSICLE_DIR       the folder for everything that is written (build/ossicle)
#   OSSICLE_CPPFLAGS  what is added to CPPFLAGS, for makefiles that do not use them
#
# The objects are compiled with the flags of the characters' target, which come last.

ossicle_rules := $(dir $(lastword $(MAKEFILE_LIST)))
OSSICLE ?= $(firstword $(wildcard $(ossicle_rules)../../../build/bin/ossicle) ossicle)
OSSICLE_DIR ?= build/ossicle
ossicle_goal := $(.DEFAULT_GOAL)
ossicle_mesh_names := $(basename $(notdir $(OSSICLE_MESHES)))
ossicle_build = $(OSSICLE) build $(OSSICLE_CHARACTERS) -o $(OSSICLE_DIR)
ifeq ($(strip $(OSSICLE_CHARACTERS)),)
$(error OSSICLE_CHARACTERS is empty; name a TOML or source file before ossicle.mk is included)
endif
# Make and its shell read these as commands or patterns, even from the name of a file that $(wildcard) has found.
ossicle_special := ; & | < > ( ) { } [ ] ' " ` \ * ? ! % = \# $$
ossicle_found := $(strip $(foreach one,$(ossicle_special),$(findstring $(one),$(OSSICLE_CHARACTERS) $(OSSICLE_MESHES))))
ifneq ($(ossicle_found),)
$(error OSSICLE_CHARACTERS or OSSICLE_MESHES has names with $(ossicle_found); rename these files, or name a TOML file that lists them)
endif

# The list of files is a makefile: Make builds it before anything else, so that the headers are there for
# every rule, and then starts again with it. Flags also have a file of their own, which is new when they are.
ifneq ($(MAKECMDGOALS),clean)
include $(OSSICLE_DIR)/files.mk
endif
ossicle_of = $(patsubst $(1)=%,%,$(filter $(1)=%,$(ossicle_files)))

# The command writes the rule with its dependencies, because it escapes names. The rule is included as it is, and with the
# inputs as targets, so that Make does not stop at a missing input: the command explains it.
$(OSSICLE_DIR)/files.mk: $(OSSICLE_CHARACTERS) $(OSSICLE_MESHES)
	$(ossicle_build) --quiet --depfile $@.d
	@$(foreach name,$(ossicle_mesh_names),test -e $(OSSICLE_DIR)/$(name).ossb || \
	    { echo 'OSSICLE_MESHES: no character of OSSICLE_CHARACTERS has a bank with the name $(name).ossb'; exit 1; } &&) :
	$(foreach mesh,$(OSSICLE_MESHES),$(OSSICLE) mesh $(mesh) --bank $(OSSICLE_DIR)/$(basename $(notdir $(mesh))).ossb -o $(OSSICLE_DIR) --quiet $(OSSICLE_MESH) &&) :
	$(ossicle_build) --list --compiler '$(strip $(CC) $(filter --target=%,$(CFLAGS)))' | sed -n -E 's/^(header|source|runtime|include|runtime-include|define|flag)=/ossicle_files += &/p' > $@.new
	@grep -q ' source=' $@.new || { echo '$(OSSICLE_CHARACTERS): no C is generated; add generate = "."'; exit 1; }
	sed -e 's|^.*: |$@: |p' -e 's|^$@: ||; s/%/\\%/g; s/$$/: ;/' $@.d >> $@.new
	grep -E '[+]= (flag|define)=' $@.new > $@.flags.new || :
	cmp -s $@.flags.new $@.flags || cp $@.flags.new $@.flags
	mv $@.new $@

# The command runs again if a file is missing that it wrote, or has to write for a new mesh.
ossicle_written := $(call ossicle_of,header) $(call ossicle_of,source) \
                   $(foreach name,$(ossicle_mesh_names),$(OSSICLE_DIR)/$(name)_mesh.c $(OSSICLE_DIR)/$(name)_mesh.h)
$(OSSICLE_DIR)/files.mk: $(if $(filter-out $(wildcard $(ossicle_written)),$(ossicle_written)),ossicle_missing)
.PHONY: ossicle_missing

ossicle_targets := $(ossicle_rules)../../../targets
ossicle_sources := $(call ossicle_of,source) $(call ossicle_of,runtime) \
                   $(if $(OSSICLE_MESHES),$(wildcard $(ossicle_targets)/stage/*.c)) \
                   $(patsubst %,$(OSSICLE_DIR)/%_mesh.c,$(ossicle_mesh_names))
OSSICLE_OBJECTS := $(patsubst %,$(OSSICLE_DIR)/%.o,$(basename $(notdir $(ossicle_sources))))
OSSICLE_CPPFLAGS := $(patsubst %,-I%,$(call ossicle_of,include) $(call ossicle_of,runtime-include)) \
                    $(patsubst %,-D%,$(call ossicle_of,define)) $(if $(OSSICLE_MESHES),-I$(ossicle_targets)/stage -I$(ossicle_targets)/sdk) \
                    $(if $(DEVKITARM),-DOSC_HOT_EXACT=1) # devkitPro's linker scripts know .iwram and .itcm alone
CPPFLAGS += $(OSSICLE_CPPFLAGS)
LDFLAGS += $(if $(N64_CC),,-Wl,--gc-sections) # leaves out what no clip needs; libdragon has its own, without -Wl

define ossicle_compile
$(OSSICLE_DIR)/$(basename $(notdir $(1))).o: $(1) $(OSSICLE_DIR)/files.mk.flags
	$$(CC) $$(CPPFLAGS) $$(CFLAGS) $(call ossicle_of,flag) -ffunction-sections -fdata-sections -MMD -MP -c $$< -o $$@
endef
$(foreach file,$(ossicle_sources),$(eval $(call ossicle_compile,$(file))))

# OSSICLE_TESTING is a library with the mocks for unit tests and the media, which is built if a rule names it;
# OSSICLE_TESTING_CPPFLAGS has the folders of their headers.
ossicle_mocks := $(wildcard $(ossicle_targets)/testing/*.c $(ossicle_targets)/media/*.c)
OSSICLE_TESTING := $(OSSICLE_DIR)/libossicle_testing.a
OSSICLE_TESTING_CPPFLAGS := $(patsubst %,-I$(ossicle_targets)%,/. /media /testing)
ossicle_mock_objects := $(patsubst %,$(OSSICLE_DIR)/%.o,$(basename $(notdir $(ossicle_mocks))))
$(foreach file,$(ossicle_mocks),$(eval $(call ossicle_compile,$(file))))
$(ossicle_mock_objects): CPPFLAGS += $(OSSICLE_TESTING_CPPFLAGS)
$(OSSICLE_TESTING): $(ossicle_mock_objects)
	$(AR) rcs $@ $^

-include $(wildcard $(patsubst %.o,%.d,$(OSSICLE_OBJECTS) $(ossicle_mock_objects)))
.DEFAULT_GOAL := $(ossicle_goal)
