/* Replaces SDL_RenderPresent and the clock in a game of SDL2: saves the first three pictures, 0.25
 * seconds apart, and ends the game. */
#include <SDL.h>

enum { PICTURES = 3, STEP_MS = 250 };
static Uint32 picture;

void __wrap_SDL_RenderPresent(SDL_Renderer *renderer);
Uint32 __wrap_SDL_GetTicks(void);

void __wrap_SDL_RenderPresent(SDL_Renderer *renderer)
{
    int width, height;
    char name[16];
    SDL_Event quit = {.type = SDL_QUIT};
    SDL_GetRendererOutputSize(renderer, &width, &height);
    SDL_Surface *surface =
        SDL_CreateRGBSurfaceWithFormat(0, width, height, 24, SDL_PIXELFORMAT_RGB24);
    SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_RGB24, surface->pixels, surface->pitch);
    SDL_snprintf(name, sizeof name, "%u.bmp", (unsigned)picture);
    SDL_SaveBMP(surface, name);
    SDL_FreeSurface(surface);
    if (++picture == PICTURES)
        SDL_PushEvent(&quit);
}

Uint32 __wrap_SDL_GetTicks(void)
{
    return picture * STEP_MS;
}
