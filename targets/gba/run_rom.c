/* SPDX-License-Identifier: MIT */
/* gba_run ROM [FOLDER [FRAMES]]: runs a program for the Game Boy Advance in mGBA, without a
 * window. What the program writes (targets/gba/debug.h) goes to standard output, its exit code is
 * this program's. Faults end it with code 99. Pictures that the program keeps go to FOLDER, and the
 * last one as last.png. With FRAMES it runs that many frames unless it ends earlier.
 *
 * Compile with -include mgba/flags.h: the layout of mGBA's structures depends on it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mgba-util/vfs.h>
#include <mgba/core/core.h>
#include <mgba/core/log.h>

#include "debug.h"

#define WIDTH 240u
#define HEIGHT 160u
#define FAULT 99
#define ILLEGAL_INSTRUCTION "Illegal opcode"
#define RUNNING (-1)

static color_t picture[WIDTH * HEIGHT];
static char kept[64]; /* the name of the picture to save */
static int exit_code = RUNNING;

/* Messages of the emulator about the program, and the text of the program's own. */
static void on_message(struct mLogger *logger, int category, enum mLogLevel level,
                       const char *format, va_list arguments)
{
    (void)logger;
    char text[512];
    const char *from = mLogCategoryId(category);
    vsnprintf(text, sizeof text, format, arguments);
    if (exit_code != RUNNING)
        return;
    if (from != NULL && strcmp(from, "gba.debug") == 0) {
        if ((uint32_t)level == 1u << GBA_DEBUG_EXIT)
            exit_code = atoi(text);
        else if ((uint32_t)level == 1u << GBA_DEBUG_TEXT)
            fputs(text, stdout);
        else if ((uint32_t)level == 1u << GBA_DEBUG_PICTURE)
            snprintf(kept, sizeof kept, "%.*s", (int)sizeof kept - 1, text);
    } else if (level == mLOG_FATAL ||
               strncmp(text, ILLEGAL_INSTRUCTION, strlen(ILLEGAL_INSTRUCTION)) == 0) {
        printf("fault: exception 01: %s\n", text);
        exit_code = FAULT;
    }
}

static struct mCore *load(const char *rom)
{
    struct mCore *core = mCoreFind(rom);
    if (core == NULL || !core->init(core))
        return NULL;
    mCoreInitConfig(core, NULL);
    core->setVideoBuffer(core, picture, WIDTH);
    if (!mCoreLoadFile(core, rom))
        return NULL;
    core->reset(core);
    return core;
}

/* Saves the picture as FOLDER/NAME.png. */
static bool save_picture(struct mCore *core, const char *folder, const char *name)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s.png", folder, name) >= (int)sizeof path)
        return false;
    struct VFile *file = VFileOpen(path, O_CREAT | O_TRUNC | O_WRONLY);
    return file != NULL && mCoreTakeScreenshotVF(core, file) && file->close(file);
}

int main(int argc, char **argv)
{
    static struct mLogger logger = {.log = on_message};
    if (argc < 2 || argc > 4) {
        fputs("usage: gba_run ROM [FOLDER [FRAMES]]\n", stderr);
        return 2;
    }
    mLogSetDefaultLogger(&logger);
    struct mCore *core = load(argv[1]);
    if (core == NULL) {
        fprintf(stderr, "gba_run: %s: not a program for the Game Boy Advance\n", argv[1]);
        return 2;
    }
    long frames = argc > 3 ? atol(argv[3]) : -1;
    bool saved = true;
    while (saved && exit_code == RUNNING && frames-- != 0) {
        kept[0] = 0;
        core->runFrame(core);
        if (argc > 2 && kept[0] != 0)
            saved = save_picture(core, argv[2], kept);
    }
    if (argc > 2 && !(saved && save_picture(core, argv[2], "last"))) {
        fprintf(stderr, "gba_run: %s: pictures cannot be written\n", argv[2]);
        return 2;
    }
    mCoreConfigDeinit(&core->config);
    core->deinit(core);
    if (fflush(stdout) != 0)
        return 1;
    return exit_code == RUNNING ? 0 : exit_code;
}
