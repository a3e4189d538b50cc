// The large picture, its cameras, and the picture on the device's screen.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { byId } from "../elements.js";

const FIELD_OF_VIEW = 35; // degrees, of the shorter side of the picture
const HALF_VIEW = (FIELD_OF_VIEW / 2) * (Math.PI / 180);

// The directions from the character to the cameras.
export const CAMERAS = {
    three_quarters: { label: "Three quarters", from: [0.7, 0.35, 1] },
    front: { label: "Front", from: [0, 0.1, 1] },
    side: { label: "Side", from: [1, 0.1, 0] },
    back: { label: "Back", from: [0, 0.1, -1] },
    above: { label: "Above", from: [0.01, 1, 0.01] },
};

/** Fits a camera to a picture of this size, so that the shorter side always shows the same extent. */
function fit(camera, width, height) {
    camera.aspect = width / height;
    camera.fov = FIELD_OF_VIEW;
    if (width < height) camera.fov = (2 * Math.atan(Math.tan(HALF_VIEW) / camera.aspect) * 180) / Math.PI;
    camera.updateProjectionMatrix();
}

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Scene {
    /** size: {centre: [x, y, z], height} of the character. screen: {width, height} of the device. */
    constructor(size, screen) {
        this.size = size;
        this.canvas = byId("picture");
        this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, preserveDrawingBuffer: true });
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        this.scene = new THREE.Scene();
        this.camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, size.height / 100, size.height * 60);
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.follow = new THREE.Vector3(...size.centre); // the target of the camera
        this.radius = size.height / 2; // of the visible sphere around it
        this.setTheme();
        window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme());
        this.addLights();
        this.addFloor();
        this.device = new Device(screen);
        this.lookFrom("three_quarters");
        new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
        this.resize();
    }

    setTheme() {
        this.scene.background = new THREE.Color(colourOf("--picture"));
    }

    addLights() {
        this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8f98, 2.2));
        const sun = new THREE.DirectionalLight(0xffffff, 1.8);
        sun.position.set(1, 2, 1.5);
        this.scene.add(sun);
    }

    addFloor() {
        const { height, centre } = this.size;
        const step = 10 ** Math.round(Math.log10(height / 4));
        const grid = new THREE.GridHelper(step * 20, 20, colourOf("--muted"), colourOf("--line"));
        this.floor = { grid, step, x: centre[0], z: centre[2] };
        this.layFloor(0, 0);
        grid.material.transparent = true;
        grid.material.opacity = 0.6;
        this.scene.add(grid);
    }

    /** Lays the floor below a character that has come this far, in whole steps of the grid. */
    layFloor(x, z) {
        const { grid, step } = this.floor;
        const stepped = (metres) => Math.round(metres / step) * step;
        grid.position.set(stepped(this.floor.x + x), 0, stepped(this.floor.z + z));
    }

    lookFrom(name) {
        const direction = new THREE.Vector3(...CAMERAS[name].from).normalize();
        const distance = this.radius / Math.sin(HALF_VIEW);
        this.controls.target.copy(this.follow);
        this.camera.position.copy(this.follow).addScaledVector(direction, distance);
        this.controls.update();
    }

    /** Shows a sphere around the camera's target, from the present direction. */
    show(radius) {
        const { target } = this.controls;
        this.camera.position.sub(target).multiplyScalar(radius / this.radius).add(target);
        this.radius = radius;
    }

    /** Moves the camera with the character, which is now at this position. */
    followTo(x, y, z) {
        const moved = new THREE.Vector3(x, y, z).sub(this.follow);
        if (moved.lengthSq() === 0) return;
        this.follow.add(moved);
        this.controls.target.add(moved);
        this.camera.position.add(moved);
    }

    /** Sets a position this many metres to the right of the middle, as seen by the camera. */
    sideways(place, metres) {
        const { x, z } = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
        place.set(x, 0, z).normalize().multiplyScalar(metres);
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
        if (width === 0 || height === 0) return;
        this.renderer.setSize(width, height, false);
        fit(this.camera, width, height);
    }

    draw() {
        this.controls.update();
        this.renderer.render(this.scene, this.camera);
        if (this.device.visible) this.device.draw(this.renderer, this.scene, this.camera);
    }
}

/** The same picture in the device's pixels. */
class Device {
    constructor({ width, height }) {
        this.canvas = byId("device");
        this.canvas.width = width;
        this.canvas.height = height;
        this.context = this.canvas.getContext("2d");
        this.picture = this.context.createImageData(width, height);
        this.target = new THREE.WebGLRenderTarget(width, height, { samples: 0, colorSpace: THREE.SRGBColorSpace });
        this.rows = new Uint8Array(4 * width * height);
        this.camera = new THREE.PerspectiveCamera();
        this.visible = false;
    }

    draw(renderer, scene, camera) {
        const { width, height } = this.canvas;
        this.camera.copy(camera, false);
        fit(this.camera, width, height);
        renderer.setRenderTarget(this.target);
        renderer.render(scene, this.camera);
        renderer.setRenderTarget(null);
        renderer.readRenderTargetPixels(this.target, 0, 0, width, height, this.rows);
        for (let row = 0; row < height; row++) {
            const from = 4 * width * (height - 1 - row);
            this.picture.data.set(this.rows.subarray(from, from + 4 * width), 4 * width * row);
        }
        this.context.putImageData(this.picture, 0, 0);
    }
}
