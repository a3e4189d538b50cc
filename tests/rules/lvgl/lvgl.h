/* Stands for LVGL 9 in the tests, with the part that the widget uses. */
#ifndef LVGL_H
#define LVGL_H
#include <stdint.h>
#define LV_ATTRIBUTE_MEM_ALIGN

typedef struct {
    uint8_t blue, green, red;
} lv_color_t;
typedef enum { LV_COLOR_FORMAT_RGB565 = 0x12 } lv_color_format_t;
typedef enum { LV_EVENT_DELETE = 1 } lv_event_code_t;
typedef struct lv_event_t lv_event_t;
typedef struct lv_event_dsc_t lv_event_dsc_t;
typedef struct lv_obj_t lv_obj_t;
typedef struct lv_timer_t lv_timer_t;
typedef void (*lv_event_cb_t)(lv_event_t *event);
typedef void (*lv_timer_cb_t)(lv_timer_t *timer);

lv_color_t lv_color_hex(uint32_t rgb);
uint16_t lv_color_to_u16(lv_color_t color);
uint32_t lv_tick_get(void);
uint32_t lv_tick_elaps(uint32_t since);
lv_timer_t *lv_timer_create(lv_timer_cb_t call, uint32_t period, void *user);
void lv_timer_delete(lv_timer_t *timer);
void *lv_timer_get_user_data(lv_timer_t *timer);
lv_event_dsc_t *lv_obj_add_event_cb(lv_obj_t *object, lv_event_cb_t call, lv_event_code_t filter,
                                    void *user);
void *lv_event_get_user_data(lv_event_t *event);
void lv_obj_invalidate(const lv_obj_t *object);
void lv_obj_delete(lv_obj_t *object);
lv_obj_t *lv_canvas_create(lv_obj_t *parent);
void lv_canvas_set_buffer(lv_obj_t *canvas, void *pixels, int32_t width, int32_t height,
                          lv_color_format_t format);
#endif
