// The mesh of the source file, for three.js.

import * as THREE from "three";

async function textureOf(bytes) {
    const picture = await createImageBitmap(new Blob([bytes]));
    const texture = new THREE.Texture(picture);
    texture.flipY = false;
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.needsUpdate = true;
    return texture;
}

async function materialOf(said, array) {
    const material = new THREE.MeshStandardMaterial({ roughness: 0.85, metalness: 0 });
    material.color.setRGB(...said.colour);
    if (said.texture) {
        try {
            material.map = await textureOf(array(said.texture, Uint8Array));
        } catch {
            // a picture that the browser cannot read: the material keeps its colour
        }
    }
    return material;
}

function geometryOf(surface, array) {
    const geometry = new THREE.BufferGeometry();
    const add = (name, Kind, size, normalised) =>
        new THREE.BufferAttribute(array(surface[name], Kind), size, normalised);
    geometry.setAttribute("position", add("positions", Float32Array, 3));
    geometry.setAttribute("normal", add("normals", Int8Array, 3, true));
    geometry.setAttribute("skinIndex", add("joints", Uint16Array, 4));
    geometry.setAttribute("skinWeight", add("weights", Uint16Array, 4, true));
    if (surface.places) geometry.setAttribute("uv", add("places", Float32Array, 2));
    geometry.setIndex(add("triangles", Uint32Array, 1));
    return geometry;
}

/** Returns {inverses, surfaces: [{geometry, material}]}, or null without a mesh. */
export async function readMesh(said, array) {
    if (!said) return null;
    const numbers = array(said.inverse_bind, Float32Array);
    const inverses = [];
    for (let at = 0; at < numbers.length; at += 12)
        inverses.push(new THREE.Matrix4().set(...numbers.subarray(at, at + 12), 0, 0, 0, 1));
    const materials = await Promise.all(said.materials.map((one) => materialOf(one, array)));
    const plain = new THREE.MeshStandardMaterial({ color: 0xb8c4d0, roughness: 0.85 });
    const surfaces = said.surfaces.map((surface) => ({
        geometry: geometryOf(surface, array),
        material: materials[surface.material] ?? plain,
    }));
    return { inverses, surfaces };
}
