#include "lvgl.h"

lv_obj_t *hero_widget(lv_obj_t *parent);
