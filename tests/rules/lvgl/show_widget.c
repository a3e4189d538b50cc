/* Stands for LVGL and a display: shows the widget for three pictures, 250 ms apart, and deletes it.
 * Prints the size of a picture, then writes the pixels to files; a picture is written only if the
 * widget has asked for it. */
#include "hero_widget.h"
#include <stdio.h>

enum { PICTURES = 3, STEP_MS = 250 };

struct lv_timer_t {
    lv_timer_cb_t call;
    void *user;
    uint32_t period;
};
struct lv_event_t {
    lv_event_cb_t call;
    void *user;
};
struct lv_obj_t {
    int invalid;
} canvas;
static lv_timer_t timer;
static lv_event_t deleted;
static uint32_t now_ms;
static const uint16_t *shown;
static int32_t columns, rows;

lv_color_t lv_color_hex(uint32_t rgb)
{
    lv_color_t color = {(uint8_t)rgb, (uint8_t)(rgb >> 8), (uint8_t)(rgb >> 16)};
    return color;
}

uint16_t lv_color_to_u16(lv_color_t color)
{
    return (uint16_t)((color.red >> 3) << 11 | (color.green >> 2) << 5 | color.blue >> 3);
}

uint32_t lv_tick_get(void)
{
    return now_ms;
}

uint32_t lv_tick_elaps(uint32_t since)
{
    return now_ms - since;
}

lv_timer_t *lv_timer_create(lv_timer_cb_t call, uint32_t period, void *user)
{
    const lv_timer_t created = {call, user, period};
    timer = created;
    return &timer;
}

void lv_timer_delete(lv_timer_t *removed)
{
    removed->call = NULL;
}

void *lv_timer_get_user_data(lv_timer_t *of)
{
    return of->user;
}

lv_event_dsc_t *lv_obj_add_event_cb(lv_obj_t *object, lv_event_cb_t call, lv_event_code_t filter,
                                    void *user)
{
    const lv_event_t added = {call, user};
    (void)object, (void)filter;
    deleted = added;
    return NULL;
}

void *lv_event_get_user_data(lv_event_t *event)
{
    return event->user;
}

void lv_obj_invalidate(const lv_obj_t *object)
{
    (void)object;
    canvas.invalid = 1;
}

void lv_obj_delete(lv_obj_t *object)
{
    (void)object;
    deleted.call(&deleted);
}

lv_obj_t *lv_canvas_create(lv_obj_t *parent)
{
    (void)parent;
    return &canvas;
}

void lv_canvas_set_buffer(lv_obj_t *object, void *pixels, int32_t width, int32_t height,
                          lv_color_format_t format)
{
    (void)object, (void)format;
    shown = pixels;
    columns = width;
    rows = height;
}

static void write_picture(int number)
{
    char name[16];
    sprintf(name, "%d.565", number);
    FILE *file = fopen(name, "wb");
    if (file == NULL || !canvas.invalid)
        return;
    fwrite(shown, sizeof *shown, (size_t)(columns * rows), file);
    fclose(file);
    canvas.invalid = 0;
}

int main(void)
{
    lv_obj_t *widget = hero_widget(NULL);
    printf("%d %d\n", (int)columns, (int)rows);
    for (int number = 0; number < PICTURES; number++) {
        write_picture(number);
        now_ms += STEP_MS;
        timer.call(&timer);
    }
    lv_obj_delete(widget);
    return timer.call != NULL;
}
