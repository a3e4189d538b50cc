#include "model/solution.h"

#include <string.h>

void enc_choice_release(enc_track_choice *choice)
{
    enc_coded_free(choice->coded);
    memset(choice, 0, sizeof *choice);
}

void enc_solution_release(enc_solution *solution)
{
    for (uint32_t i = 0; i < solution->track_count && solution->tracks != NULL; i++)
        enc_choice_release(&solution->tracks[i]);
    free(solution->tracks);
    memset(solution, 0, sizeof *solution);
}
