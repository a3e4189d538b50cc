/* An instruction that does not exist. */
int main(void)
{
    __asm__ volatile("udf #0");
    return 0;
}
