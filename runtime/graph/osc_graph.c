/* SPDX-License-Identifier: MIT */
/* Finds and checks the graph of a bank: SPEC.md 26. */
#include "bank/osc_section.h"
#include "graph/osc_graph_check.h"

#define KNOWN_NEEDS                                                                                \
    (OSC_GRAPH_NEEDS_INERTIA | OSC_GRAPH_NEEDS_BLENDS | OSC_GRAPH_NEEDS_LAYERS |                   \
     OSC_GRAPH_NEEDS_ADDITIVE | OSC_GRAPH_NEEDS_PLANES | OSC_GRAPH_NEEDS_FADES |                   \
     OSC_GRAPH_NEEDS_POOL | OSC_GRAPH_NEEDS_STEPS | OSC_GRAPH_NEEDS_POSITIONS |                    \
     OSC_GRAPH_NEEDS_MIRROR)

static bool counts_valid(const osc_graph *graph)
{
    return graph->parameter_count <= OSC_GRAPH_MOST_PARAMETERS &&
           graph->trigger_count <= OSC_GRAPH_MOST_TRIGGERS &&
           (uint32_t)graph->trigger_count + graph->slewed_count + graph->point_count <=
               graph->parameter_count &&
           graph->machine_count != 0u && graph->machine_count <= OSC_GRAPH_MOST_MACHINES &&
           graph->wait_count <= OSC_GRAPH_MOST_WAITS && graph->mask_count <= OSC_GRAPH_MOST_MASKS &&
           graph->look_count <= OSC_GRAPH_MOST_LOOKS && graph->limb_count <= OSC_GRAPH_MOST_LIMBS &&
           graph->choice_count <= OSC_GRAPH_MOST_CHOICES &&
           graph->point_count <= OSC_GRAPH_MOST_POINTS &&
           graph->transition_count <= OSC_GRAPH_MOST_TRANSITIONS && graph->longest_step_us != 0u &&
           graph->longest_step_us <= OSC_GRAPH_LONGEST_MOST_US;
}

/* Finds the records. Returns false for a section that is too small, or whose counts are out of
 * range. */
static bool find_records(osc_graph *graph, osc_words section)
{
    if (section.count < OSC_GRAPH_HEADER_WORDS)
        return false;
    uint32_t parameters = osc_word(section.words[OSC_GRAPH_PARAMETERS]);
    uint32_t machines = osc_word(section.words[OSC_GRAPH_MACHINES]);
    uint32_t states = osc_word(section.words[OSC_GRAPH_STATES]);
    uint32_t members = osc_word(section.words[OSC_GRAPH_MEMBERS]);
    uint32_t lists = osc_word(section.words[OSC_GRAPH_LISTS]);
    uint32_t atoms = osc_word(section.words[OSC_GRAPH_ATOMS]);
    uint32_t needs = osc_word(section.words[OSC_GRAPH_NEEDS]);
    uint32_t triangles = osc_word(section.words[OSC_GRAPH_TRIANGLES]);
    uint32_t extras = osc_word(section.words[OSC_GRAPH_EXTRAS]);
    if ((states & 0xffffu) > OSC_GRAPH_MOST_STATES || needs >> 16 > OSC_GRAPH_MOST_EVENTS ||
        (needs & 0xffffu & ~KNOWN_NEEDS) != 0u || triangles > 0xffffu || extras > 0xffffu)
        return false;
    graph->parameter_count = (uint8_t)parameters;
    graph->trigger_count = (uint8_t)(parameters >> 8);
    graph->slewed_count = (uint8_t)(parameters >> 16);
    graph->machine_count = (uint8_t)machines;
    graph->wait_count = (uint8_t)(machines >> 8);
    graph->mask_count = (uint8_t)(machines >> 16);
    graph->look_count = (uint8_t)(machines >> 24);
    graph->point_count = (uint8_t)(parameters >> 24);
    graph->limb_count = (uint8_t)extras;
    graph->state_count = (uint8_t)states;
    graph->transition_count = (uint16_t)(states >> 16);
    graph->member_count = (uint16_t)members;
    graph->sync_count = (uint16_t)(members >> 16);
    graph->list_count = (uint16_t)lists;
    graph->watch_count = (uint16_t)(lists >> 16);
    graph->atom_words = (uint16_t)atoms;
    graph->triangle_count = (uint16_t)triangles;
    graph->choice_count = (uint8_t)(extras >> 8);
    graph->needs = (uint8_t)needs;
    graph->more_needs = (uint8_t)(needs >> 8);
    graph->event_count = (uint8_t)(needs >> 16);
    graph->longest_step_us = osc_word(section.words[OSC_GRAPH_LONGEST_US]);
    graph->layout_crc = osc_word(section.words[OSC_GRAPH_LAYOUT_CRC]);
    uint32_t words = graph->parameter_count * OSC_GRAPH_PARAMETER_WORDS;
    words += graph->machine_count * OSC_GRAPH_MACHINE_WORDS;
    words += graph->state_count * OSC_GRAPH_STATE_WORDS;
    words += graph->member_count * OSC_GRAPH_MEMBER_WORDS;
    words += graph->sync_count * OSC_GRAPH_SYNC_WORDS + graph->triangle_count;
    words += graph->transition_count * OSC_GRAPH_TRANSITION_WORDS;
    words += ((graph->list_count + 1u) >> 1) + graph->watch_count + graph->atom_words;
    words += graph->wait_count + graph->mask_count * osc_graph_mask_words(graph->bank);
    words += graph->choice_count * OSC_GRAPH_CHOICE_WORDS;
    words += graph->look_count * OSC_GRAPH_LOOK_WORDS + graph->limb_count * OSC_GRAPH_LIMB_WORDS;
    words += atoms >> 16; /* groups */
    if (words > section.count - OSC_GRAPH_HEADER_WORDS)
        return false;
    graph->parameters = section.words + OSC_GRAPH_HEADER_WORDS;
    graph->machines = graph->parameters + graph->parameter_count * OSC_GRAPH_PARAMETER_WORDS;
    graph->states = graph->machines + graph->machine_count * OSC_GRAPH_MACHINE_WORDS;
    graph->members = graph->states + graph->state_count * OSC_GRAPH_STATE_WORDS;
    graph->syncs = graph->members + graph->member_count * OSC_GRAPH_MEMBER_WORDS;
    graph->triangles = graph->syncs + graph->sync_count * OSC_GRAPH_SYNC_WORDS;
    graph->transitions = graph->triangles + graph->triangle_count;
    graph->lists = graph->transitions + graph->transition_count * OSC_GRAPH_TRANSITION_WORDS;
    graph->watches = graph->lists + ((graph->list_count + 1u) >> 1);
    graph->atoms = graph->watches + graph->watch_count;
    graph->waits = graph->atoms + graph->atom_words;
    graph->masks = graph->waits + graph->wait_count;
    graph->looks = graph->masks + graph->mask_count * osc_graph_mask_words(graph->bank);
    graph->looks += graph->choice_count * OSC_GRAPH_CHOICE_WORDS;
    graph->limbs = graph->looks + graph->look_count * OSC_GRAPH_LOOK_WORDS;
    return counts_valid(graph);
}

static bool graph_valid(const osc_graph *graph)
{
    if (!osc_graph_parameters_valid(graph) || !osc_graph_waits_valid(graph) ||
        !osc_graph_masks_valid(graph) || !osc_graph_looks_valid(graph) ||
        !osc_graph_limbs_valid(graph) || !osc_graph_machines_valid(graph) ||
        !osc_graph_choices_valid(graph) || !osc_graph_states_valid(graph) ||
        !osc_graph_transitions_valid(graph))
        return false;
    return true;
}

int32_t osc_graph_open(osc_graph *graph, const osc_bank *bank, const osc_events *events,
                       const osc_trajectories *trajectories)
{
    OSC_ASSERT(graph != 0 && bank != 0);
    osc_words section = osc_section_find(bank, OSC_TAG_GRAPH);
    graph->bank = bank;
    graph->events = events;
    graph->trajectories = trajectories;
    if (section.words != 0 && find_records(graph, section) && graph_valid(graph))
        return OSC_OK;
    graph->parameters = graph->machines = graph->states = graph->members = graph->syncs = 0;
    graph->triangles = 0;
    graph->transitions = graph->lists = graph->watches = graph->atoms = graph->waits = 0;
    graph->masks = graph->looks = graph->limbs = 0;
    graph->look_count = graph->limb_count = graph->point_count = graph->choice_count = 0;
    graph->parameter_count = graph->trigger_count = graph->slewed_count = graph->state_count = 0;
    graph->machine_count = graph->wait_count = graph->mask_count = 0;
    graph->member_count = graph->sync_count = graph->triangle_count = 0;
    graph->transition_count = graph->list_count = graph->watch_count = graph->atom_words = 0;
    graph->event_count = graph->needs = graph->more_needs = 0;
    graph->layout_crc = 0;
    return section.words == 0 ? OSC_ERROR_NOT_FOUND : OSC_ERROR_SECTION;
}
