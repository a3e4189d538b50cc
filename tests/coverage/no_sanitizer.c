/* Stands in for what tests/faults calls of the sanitizers, which these builds do without. */
void __sanitizer_set_death_callback(void (*callback)(void));
void __sanitizer_set_death_callback(void (*callback)(void))
{
    (void)callback;
}
