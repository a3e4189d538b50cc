/* Shows a picture in which no two pixels are the same, and draws the next one while it is sent;
 * prints the microseconds that sending a picture takes, and the buttons. */
#include "print.h"
#include "screen.h"

int main(void)
{
    static const uint16_t palette[1] = {0};
    screen_open(palette, 1);
    const stage_picture *picture = screen_picture();
    for (uint32_t i = 0; i < (uint32_t)picture->width * picture->height; i++)
        stage_put(picture, i, i);
    screen_show();
    screen_clear(0x1234);
    screen_keep("pixels");
    screen_show();
    screen_show();
    (void)screen_elapsed_us();
    screen_show();
    print_line("microseconds ", screen_elapsed_us());
    print_line("buttons ", screen_buttons());
    screen_clear(0xffff);
    screen_show();
    screen_keep("white");
    return 0;
}
