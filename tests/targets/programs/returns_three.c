/* The value of main is the exit code. */
int main(void)
{
    return 3;
}
