/* An instruction that does not exist. */
int main(void)
{
#if defined(__riscv)
    __asm__ volatile("unimp");
#else
    __asm__ volatile("udf #0");
#endif
    return 0;
}
