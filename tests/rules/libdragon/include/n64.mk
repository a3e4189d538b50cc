# Stands for libdragon's makefile in the tests, with its variables and its pattern rules. The compiler's programs run
# on a PC that emulates a processor with the same order of bytes.
N64_CC = mips-linux-gnu-gcc
N64_CFLAGS = -DN64 -O2 -Wall -Werror -std=gnu99
N64_LDFLAGS = -g --gc-sections
CFLAGS += -MMD
comma := ,

%.z64: CC = $(N64_CC)
%.z64: CFLAGS += $(N64_CFLAGS)
%.z64: LDFLAGS += $(N64_LDFLAGS)
%.z64: $(BUILD_DIR)/%.elf
	cp $< $@

$(BUILD_DIR)/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) -c $(CFLAGS) -o $@ $<

%.elf:
	@mkdir -p $(dir $@)
	$(CC) -static -o $@ $^ $(patsubst %,-Wl$(comma)%,$(LDFLAGS))
