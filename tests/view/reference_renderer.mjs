// Draws a .glb as three.js' own loader reads it: window.drawGlb(base64, description) resolves to the address of a PNG.
// description: {clip, seconds, width, height, projection, camera: matrices, background, lights} of the page's picture.

import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

function lightOf({ isSun, colour, ground, intensity, position }) {
    const light = isSun
        ? new THREE.DirectionalLight(colour, intensity)
        : new THREE.HemisphereLight(colour, ground, intensity);
    light.position.fromArray(position);
    return light;
}

window.drawGlb = async (base64, { clip, seconds, width, height, projection, camera, background, lights }) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const { scene: character, animations } = await new GLTFLoader().parseAsync(bytes.buffer, "");
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(background);
    scene.add(character, ...lights.map(lightOf));
    const mixer = new THREE.AnimationMixer(character);
    mixer.clipAction(THREE.AnimationClip.findByName(animations, clip)).play();
    mixer.setTime(seconds);
    const eye = new THREE.Camera();
    eye.matrixAutoUpdate = false;
    eye.matrix.fromArray(camera);
    eye.updateMatrixWorld(true);
    eye.projectionMatrix.fromArray(projection);
    eye.projectionMatrixInverse.copy(eye.projectionMatrix).invert();
    const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    renderer.setSize(width, height);
    renderer.render(scene, eye);
    const address = renderer.domElement.toDataURL();
    renderer.dispose();
    renderer.forceContextLoss();
    return address;
};
