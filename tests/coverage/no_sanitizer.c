/* Replaces the sanitizers' functions that tests/faults calls, because these builds have no sanitizers. */
void __sanitizer_set_death_callback(void (*callback)(void));
void __sanitizer_set_death_callback(void (*callback)(void))
{
    (void)callback;
}
