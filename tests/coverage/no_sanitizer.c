/* Replaces the functions of sanitizers that tests/faults calls: these builds have none. */
void __sanitizer_set_death_callback(void (*callback)(void));
void __sanitizer_set_death_callback(void (*callback)(void))
{
    (void)callback;
}
