# Stands for Butano's makefile in the tests, with its variables and its two calls of Make, on top of devkitPro's rules.
include $(DEVKITARM)/gba_rules
INCLUDE += -I$(CURDIR)
CFLAGS := -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wswitch-default -Wstack-usage=16384 -Werror -O2 \
          -mcpu=arm7tdmi -mtune=arm7tdmi -ffunction-sections -fdata-sections -mthumb -mthumb-interwork $(INCLUDE)
LDFLAGS = -mthumb -mthumb-interwork

ifneq ($(BUILD),$(notdir $(CURDIR)))

export OUTPUT := $(CURDIR)/$(TARGET)
export VPATH := $(foreach dir,$(SOURCES),$(CURDIR)/$(dir))
export DEPSDIR := $(CURDIR)/$(BUILD)
export LD := $(CC)
export OFILES := $(patsubst %.c,%.o,$(foreach dir,$(SOURCES),$(notdir $(wildcard $(dir)/*.c))))

.PHONY: all $(BUILD)
all:
	@[ -d $(BUILD) ] || mkdir -p $(BUILD)
	@$(MAKE) --no-print-directory $(BUILD)

$(BUILD):
	@$(MAKE) --no-print-directory -C $(BUILD) -f $(CURDIR)/Makefile

else

$(OUTPUT).gba: $(OUTPUT).elf
	cp $< $@

$(OUTPUT).elf: $(OFILES)
-include $(DEPSDIR)/*.d

endif
