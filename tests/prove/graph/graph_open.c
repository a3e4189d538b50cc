/* The section of animation graphs: any words, in parts that end where their memory ends. */
#include "any.h"
#include "contracts.h"

#include "graph/osc_graph.c"
#include "graph/osc_graph_check_blends.c"
#include "graph/osc_graph_check_choices.c"
#include "graph/osc_graph_check_limbs.c"
#include "graph/osc_graph_check_looks.c"
#include "graph/osc_graph_check_machines.c"
#include "graph/osc_graph_check_parameters.c"
#include "graph/osc_graph_check_states.c"
#include "graph/osc_graph_check_transitions.c"

enum {
    CLIPS = 2,
    MOST = 2,
    BODY = 7,
    MOST_BODY = 12,
    ATOMS = 12,
    SECTION = 8,
    JOINTS = 3,
    MASK_WORDS = 2
};

static uint32_t clips[CLIPS * OSC_CLIP_ENTRY_WORDS];
static uint32_t parameters[MOST * OSC_GRAPH_PARAMETER_WORDS];
static uint32_t states[MOST * OSC_GRAPH_STATE_WORDS];
static uint32_t members[MOST * OSC_GRAPH_MEMBER_WORDS];
static uint32_t syncs[OSC_GRAPH_SYNC_WORDS], triangles[MOST];
static uint32_t transitions[MOST * OSC_GRAPH_TRANSITION_WORDS];
static uint32_t machines[MOST * OSC_GRAPH_MACHINE_WORDS], waits[MOST];
static uint32_t masks[MOST * MASK_WORDS],
    choices_and_looks[MOST * (OSC_GRAPH_CHOICE_WORDS + OSC_GRAPH_LOOK_WORDS)];
static uint32_t limbs[MOST * OSC_GRAPH_LIMB_WORDS];
static uint32_t lists[MOST], watches[MOST], atoms[ATOMS];
static uint32_t words[SECTION + OSC_GRAPH_HEADER_WORDS + MOST_BODY];

/* A bank whose only section is the last `count` words. */
static osc_bank bank_of(uint32_t count)
{
    osc_bank bank = {0};
    forget(words);
    forget(clips);
    words[OSC_HEADER_SECTIONS] = 1;
    words[OSC_HEADER_WORDS + OSC_SECTION_TAG] = OSC_TAG_GRAPH;
    words[OSC_HEADER_WORDS + OSC_SECTION_PLACE] =
        SECTION + OSC_GRAPH_HEADER_WORDS + MOST_BODY - count;
    words[OSC_HEADER_WORDS + OSC_SECTION_WORDS] = count;
    bank.words = words;
    bank.clips = clips;
    bank.clip_count = CLIPS;
    bank.joint_count = JOINTS;
    return bank;
}

/* The parts of the records, once their place is known. */
void prove_graph(void)
{
    osc_events events = {0};
    osc_bank bank = bank_of(0);
    for (uint32_t marked = 0; marked < 2u; marked++)
        for (uint32_t count = 0; count <= MOST; count++) {
            osc_graph graph = {0};
            events.name_count = (uint16_t)any_up_to(0xffffu);
            forget(parameters);
            forget(states);
            forget(members);
            forget(syncs);
            forget(triangles);
            forget(transitions);
            forget(lists);
            forget(watches);
            forget(atoms);
            forget(machines);
            forget(waits);
            forget(masks);
            forget(choices_and_looks);
            forget(limbs);
            graph.bank = &bank;
            graph.events = marked != 0u ? &events : 0;
            graph.needs = (uint8_t)any_up_to(0xffu);
            graph.more_needs = (uint8_t)any_up_to(0xffu);
            graph.parameter_count = (uint8_t)count;
            graph.trigger_count = (uint8_t)any_up_to(count);
            graph.slewed_count = (uint8_t)any_up_to(count);
            graph.point_count = (uint8_t)any_up_to(count);
            graph.machine_count = (uint8_t)count;
            graph.wait_count = (uint8_t)count;
            graph.mask_count = (uint8_t)count;
            graph.look_count = (uint8_t)count;
            graph.choice_count = (uint8_t)count;
            graph.limb_count = (uint8_t)count;
            graph.state_count = (uint8_t)count;
            graph.member_count = (uint16_t)count;
            graph.sync_count = (uint16_t)(count != 0u ? 1u : 0u);
            graph.triangle_count = (uint16_t)count;
            graph.transition_count = (uint16_t)count;
            graph.list_count = (uint16_t)(2u * count);
            graph.watch_count = (uint16_t)count;
            graph.atom_words = (uint16_t)(count * (ATOMS / MOST));
            graph.parameters = parameters + (MOST - count) * OSC_GRAPH_PARAMETER_WORDS;
            graph.states = states + (MOST - count) * OSC_GRAPH_STATE_WORDS;
            graph.members = members + (MOST - count) * OSC_GRAPH_MEMBER_WORDS;
            graph.syncs = syncs;
            graph.triangles = triangles + (MOST - count);
            graph.transitions = transitions + (MOST - count) * OSC_GRAPH_TRANSITION_WORDS;
            graph.lists = lists + (MOST - count);
            graph.watches = watches + (MOST - count);
            graph.atoms = atoms + (MOST - count) * (ATOMS / MOST);
            graph.machines = machines + (MOST - count) * OSC_GRAPH_MACHINE_WORDS;
            graph.waits = waits + (MOST - count);
            graph.masks = masks + (MOST - count) * MASK_WORDS;
            graph.looks = choices_and_looks + (MOST - count) * OSC_GRAPH_LOOK_WORDS +
                          MOST * OSC_GRAPH_CHOICE_WORDS;
            graph.limbs = limbs + (MOST - count) * OSC_GRAPH_LIMB_WORDS;
            (void)osc_graph_parameters_valid(&graph);
            (void)osc_graph_waits_valid(&graph);
            (void)osc_graph_masks_valid(&graph);
            (void)osc_graph_machines_valid(&graph);
            (void)osc_graph_choices_valid(&graph);
            (void)osc_graph_looks_valid(&graph);
            (void)osc_graph_limbs_valid(&graph);
            for (uint32_t i = 0; i < count; i++)
                for (uint32_t machine = 0; machine < count; machine++)
                    (void)state_valid(&graph, i, machine);
            /* transitions are checked after all states: these play clips that the bank has, with
             * or without a clock, or nothing */
            for (uint32_t i = 0; i < MOST; i++)
                states[i * OSC_GRAPH_STATE_WORDS + OSC_GRAPH_STATE_CLIP] =
                    any_up_to(CLIPS - 1u) | (any_up_to(1u) * OSC_GRAPH_STATE_NOTHING |
                                             any_up_to(1u) * OSC_GRAPH_STATE_POSITION)
                                                << 24;
            (void)graph_valid(&graph);
        }
}

static uint32_t limb_count;

static void find(uint32_t counts_of_parameters, uint32_t state_count, uint32_t counts_of_members,
                 uint32_t triangle_count, uint32_t transition_count, uint32_t counts_of_lists,
                 uint32_t counts_of_atoms, uint32_t counts_of_machines, uint32_t choice_count)
{

    osc_bank bank = {0};
    osc_graph graph;
    osc_words section = {words + SECTION + MOST_BODY - BODY, OSC_GRAPH_HEADER_WORDS + BODY};
    uint32_t *header = words + SECTION + MOST_BODY - BODY;
    bank.joint_count = JOINTS;
    graph.bank = &bank;
    header[OSC_GRAPH_PARAMETERS] = counts_of_parameters;
    header[OSC_GRAPH_MACHINES] = counts_of_machines;
    header[OSC_GRAPH_STATES] = state_count | transition_count << 16;
    header[OSC_GRAPH_MEMBERS] = counts_of_members;
    header[OSC_GRAPH_LISTS] = counts_of_lists;
    header[OSC_GRAPH_ATOMS] = counts_of_atoms;
    header[OSC_GRAPH_NEEDS] = any_word();
    header[OSC_GRAPH_LONGEST_US] = any_word();
    header[OSC_GRAPH_TRIANGLES] = triangle_count;
    header[OSC_GRAPH_EXTRAS] = limb_count | choice_count << 8;
    (void)find_records(&graph, section);
}

/* The place of the records: counts that fit into a small section, or are a word too many, and each
 * that does not fit at all. */
void prove_graph_records(void)
{
    osc_words section = {words + SECTION + MOST_BODY, 0};
    forget(words);
    for (; section.count < OSC_GRAPH_HEADER_WORDS; section.count++) {
        osc_graph graph = {0};
        (void)find_records(&graph, section);
    }
    for (uint32_t counts = 0; counts < 16u; counts++) {
        uint32_t parameter = counts & 1u, state = counts >> 1 & 1u, member = counts >> 2 & 1u;
        uint32_t transition = counts >> 3;
        uint32_t sized = parameter * 4u + state * 6u + member * 3u + transition * 4u;
        for (uint32_t list = 0; list <= 2u * BODY + 1u; list++)
            for (uint32_t watch = 0; watch <= BODY + 1u; watch++)
                for (uint32_t atom = 0; atom <= BODY + 1u; atom++)
                    if (sized + (list + 1u) / 2u + watch + atom <= BODY + 1u)
                        find(parameter | any_up_to(0xffffffu) << 8, state, member, 0, transition,
                             list | watch << 16, atom | any_up_to(0xffffu) << 16, 0, 0);
    }
    for (uint32_t count = 0; count <= BODY; count++)
        find(0, 0, 0, count, 0, 0, 0, 0, 0);
    for (uint32_t count = 0; count <= BODY; count++) {
        find(0, 0, 0, 0, 0, 0, 0, count << 8, 0);
        find(0, 0, 0, 0, 0, 0, 0, count << 16, 0);
    }
    find(0, 0, 0, 0, 0, 0, 0, 0, 1);
    find(0, 0, 0, 0, 0, 0, 0, 0, any_from(2, 0xffffffu));
    find(0, 0, 0, 0, 0, 0, 0, 1, 0);
    find(0, 0, 0, 0, 0, 0, 0, any_from(2, 255), 0);
    find(0, 0, 0, 0, 0, 0, 0, any_from(1, 255) << 24, 0);
    find(any_from(2, 255), 0, 0, 0, 0, 0, 0, 0, 0);
    find(0, any_from(2, 0xffff), 0, 0, 0, 0, 0, 0, 0);
    find(0, 0, any_from(3, 0xffff), 0, 0, 0, 0, 0, 0);
    find(0, 0, any_from(1, 0xffff) << 16, 0, 0, 0, 0, 0, 0);
    find(0, 0, 0, any_from(BODY + 1, 0xffffffffu), 0, 0, 0, 0, 0);
    find(0, 0, 0, 0, any_from(2, 0xffff), 0, 0, 0, 0);
    find(0, 0, 0, 0, 0, any_from(2 * BODY + 2, 0xffff), 0, 0, 0);
    find(0, 0, 0, 0, 0, any_from(BODY + 1, 0xffff) << 16, 0, 0, 0);
    find(0, 0, 0, 0, 0, 0, any_from(BODY + 1, 0xffff), 0, 0);
    limb_count = any_from(1, 255);
    find(0, 0, 0, 0, 0, 0, 0, 0, 0);
    limb_count = any_from(0x10000, 0xffffffffu);
    find(0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* Banks without the section, with one that is too small, and with records. */
void prove_graph_open(void)
{
    osc_graph graph;
    for (uint32_t count = 0; count < OSC_GRAPH_HEADER_WORDS; count++) {
        osc_bank bank = bank_of(count);
        (void)osc_graph_open(&graph, &bank, 0, 0);
        words[OSC_HEADER_WORDS + OSC_SECTION_TAG] = OSC_TAG_NAMES;
        (void)osc_graph_open(&graph, &bank, 0, 0);
    }
    osc_bank bank = bank_of(OSC_GRAPH_HEADER_WORDS + MOST_BODY);
    osc_graph whole;
    words[SECTION + OSC_GRAPH_PARAMETERS] = 0;
    words[SECTION + OSC_GRAPH_MACHINES] = 1;
    words[SECTION + OSC_GRAPH_STATES] = 1;
    words[SECTION + OSC_GRAPH_MEMBERS] = 0;
    words[SECTION + OSC_GRAPH_LISTS] = 0;
    words[SECTION + OSC_GRAPH_ATOMS] = 0;
    words[SECTION + OSC_GRAPH_NEEDS] = 0;
    words[SECTION + OSC_GRAPH_LONGEST_US] = 1;
    words[SECTION + OSC_GRAPH_TRIANGLES] = 0;
    words[SECTION + OSC_GRAPH_EXTRAS] = 0;
    (void)osc_graph_open(&whole, &bank, 0, 0);
}
