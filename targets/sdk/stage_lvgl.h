/* SPDX-License-Identifier: MIT */
/* A widget of LVGL 9 that shows a playing character: a canvas in RGB565, on displays of any format.
 */
#ifndef STAGE_LVGL_H
#define STAGE_LVGL_H

#include "lvgl.h"
#include "stage.h"

/* The character of a widget; begin with zeros. The caller sets the first members, and keeps the
 * struct while the widget exists. play: moves the character on, and returns its skinning matrices
 * (HERO_MATRIX_COUNT). user: passed to play. skin_bits: HERO_SKIN_BITS. picture: width, height and
 * pixels; its format becomes RGB565. work: memory as stage_work describes it. camera: stage_aim
 * sets it, or the caller. */
typedef struct stage_lvgl {
    const stage_mesh *mesh;
    const osc_matrix_q14 *(*play)(void *user, uint32_t elapsed_us);
    void *user;
    uint32_t matrix_count, skin_bits;
    stage_picture picture;
    stage_work work;
    stage_camera camera;
    lv_color_t background;
    /* private: */
    lv_obj_t *canvas;
    lv_timer_t *timer;
    uint32_t shown_ms;
} stage_lvgl;

/* Draws the character after the time since the last picture. */
static inline void stage_lvgl_show(lv_timer_t *timer)
{
    stage_lvgl *shown = (stage_lvgl *)lv_timer_get_user_data(timer);
    const uint32_t elapsed_ms = lv_tick_elaps(shown->shown_ms);
    shown->shown_ms += elapsed_ms;
    stage_look(&shown->camera, shown->play(shown->user, elapsed_ms * 1000u), shown->matrix_count,
               shown->skin_bits, shown->work.joints);
    stage_skin(shown->mesh, &shown->camera, &shown->picture, false, &shown->work);
    stage_clear(&shown->picture, lv_color_to_u16(shown->background));
    (void)stage_draw(shown->mesh, &shown->picture, false, &shown->work);
    lv_obj_invalidate(shown->canvas);
}

static inline void stage_lvgl_deleted(lv_event_t *event)
{
    stage_lvgl *shown = (stage_lvgl *)lv_event_get_user_data(event);
    lv_timer_delete(shown->timer);
}

/* Creates the widget, which draws a picture every period_ms until it is deleted. */
static inline lv_obj_t *stage_lvgl_create(lv_obj_t *parent, stage_lvgl *shown, uint32_t period_ms)
{
    const stage_picture *picture = &shown->picture;
    shown->picture.format = STAGE_RGB565;
    shown->canvas = lv_canvas_create(parent);
    lv_canvas_set_buffer(shown->canvas, picture->pixels, picture->width, picture->height,
                         LV_COLOR_FORMAT_RGB565);
    shown->shown_ms = lv_tick_get();
    shown->timer = lv_timer_create(stage_lvgl_show, period_ms, shown);
    lv_obj_add_event_cb(shown->canvas, stage_lvgl_deleted, LV_EVENT_DELETE, shown);
    stage_lvgl_show(shown->timer);
    return shown->canvas;
}

#endif
