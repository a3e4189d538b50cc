#include "published/schemes/schemes.h"

#include "codecs/codecs.h"
#include "published/osc_published_format.h"
#include "published/rates/rates.h"
#include "published/schemes/preset_solver.h"

/* The codecs, and their default schemes. */
static const struct {
    const enc_codec *codec;
    enc_scheme scheme;
} published[] = {
    {&enc_sparse_codec,
     {.rotations = ENC_FORMAT_SMALLEST48,
      .vectors = ENC_FORMAT_RANGED48,
      .basis = OSC_SPARSE_TIMED,
      .reduction = ENC_REDUCE_INSERT,
      .margin = ENC_MARGIN_DEPTH}},
    {&enc_dense_codec,
     {.rotations = ENC_FORMAT_VARIABLE,
      .vectors = ENC_FORMAT_VARIABLE,
      .margin = ENC_MARGIN_LEAF_FIRST,
      .period = 1}},
};

enum { PUBLISHED = sizeof published / sizeof *published };

static bool has_variable_rates(const enc_scheme *scheme)
{
    return scheme->rotations == ENC_FORMAT_VARIABLE || scheme->vectors == ENC_FORMAT_VARIABLE;
}

const enc_codec *enc_published_codec(const enc_options *options)
{
    for (size_t i = 0; i < PUBLISHED; i++)
        if ((options->codecs >> published[i].codec->codec & 1u) != 0u)
            return published[i].codec;
    return NULL;
}

int32_t enc_published_solve(const enc_source *source, const enc_codec *codec,
                            const enc_options *options, enc_solution *out, enc_report *report)
{
    enc_options with_scheme = *options;
    for (size_t i = 0; i < PUBLISHED; i++)
        if (options->scheme == NULL && published[i].codec == codec)
            with_scheme.scheme = &published[i].scheme;
    if (has_variable_rates(with_scheme.scheme))
        return enc_dense_rates_solve(source, &with_scheme, out, report);
    return enc_preset_solve(source, codec, &with_scheme, out, report);
}
