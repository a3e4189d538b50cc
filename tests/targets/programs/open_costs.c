/* Opens the embedded bank as a program does, and as one from elsewhere; prints the instructions of
 * both and the stack of the checks. */
#include "character.h"
#include "hal.h"
#include "print.h"

static osc_bank bank;

int main(void)
{
    hal_ticks_start();
    int32_t status = character_open(&bank, character_bank, sizeof character_bank);
    uint32_t embedded = hal_instructions();
    hal_stack_fill();
    hal_ticks_start();
    status += osc_bank_open_codecs(&bank, character_bank, sizeof character_bank, character_codecs,
                                   character_checks);
    uint32_t checked = hal_instructions();
    print_line("stack ", hal_stack_used());
    print_line("embedded ", embedded);
    print_line("checked ", checked);
    hal_exit(status);
}
