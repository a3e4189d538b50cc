// The mesh of the source file, for three.js.

import * as THREE from "three";

const WRAPS = { repeat: THREE.RepeatWrapping, clamp: THREE.ClampToEdgeWrapping, mirror: THREE.MirroredRepeatWrapping };
const FILTERS = {
    9728: THREE.NearestFilter,
    9729: THREE.LinearFilter,
    9984: THREE.NearestMipmapNearestFilter,
    9985: THREE.LinearMipmapNearestFilter,
    9986: THREE.NearestMipmapLinearFilter,
    9987: THREE.LinearMipmapLinearFilter,
}; // by the numbers of glTF
const UNDER_LIGHT = { roughness: 0.85, metalness: 0 };

/** Textures by their offset in the page's data; decodes each picture once. channel: of texture coordinates. */
class Textures {
    constructor(array) {
        this.array = array;
        this.pictures = new Map();
        this.unreadable = new Set();
    }

    /** Returns a texture, or null if there is none or the browser cannot read it. */
    async read(described, channel, material) {
        if (!described) return null;
        const { at } = described.picture;
        if (!this.pictures.has(at)) {
            // alpha must not darken colours: an opaque material ignores it
            const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
            this.pictures.set(at, createImageBitmap(new Blob([this.array(described.picture, Uint8Array)]), options));
        }
        try {
            const texture = new THREE.Texture(await this.pictures.get(at));
            texture.flipY = false;
            texture.channel = channel;
            texture.colorSpace = THREE.SRGBColorSpace;
            [texture.wrapS, texture.wrapT] = described.wraps.map((wrap) => WRAPS[wrap]);
            [texture.magFilter, texture.minFilter] = described.filters.map((filter) => FILTERS[filter]);
            texture.needsUpdate = true;
            return texture;
        } catch {
            this.unreadable.add(material);
            return null;
        }
    }
}

async function materialOf(material, textures) {
    const { colour, alpha, glow, mode, cutoff, name } = material;
    const [map, glowMap] = await Promise.all([
        textures.read(material.texture, 0, name),
        textures.read(material.glow_texture, 1, name),
    ]);
    const look = {
        map,
        color: new THREE.Color().setRGB(...colour),
        side: material.double_sided ? THREE.DoubleSide : THREE.FrontSide,
        opacity: mode === "OPAQUE" ? 1 : alpha,
        transparent: mode === "BLEND",
        depthWrite: mode !== "BLEND",
        alphaTest: mode === "MASK" ? cutoff : 0,
    };
    if (material.unlit) return new THREE.MeshBasicMaterial(look);
    return new THREE.MeshStandardMaterial({
        ...UNDER_LIGHT,
        ...look,
        emissive: new THREE.Color().setRGB(...glow),
        emissiveMap: glowMap,
    });
}

function geometryOf(surface, array) {
    const geometry = new THREE.BufferGeometry();
    const attribute = (place, Kind, size, normalised) =>
        new THREE.BufferAttribute(array(place, Kind), size, normalised);
    const add = (name, place, ...kind) => place && geometry.setAttribute(name, attribute(place, ...kind));
    add("position", surface.positions, Float32Array, 3);
    add("normal", surface.normals, Int8Array, 3, true);
    add("skinIndex", surface.joints, Uint16Array, 4);
    add("skinWeight", surface.weights, Uint16Array, 4, true);
    add("uv", surface.places, Float32Array, 2);
    add("uv1", surface.glow_places, Float32Array, 2);
    add("color", surface.colours, Float32Array, 4);
    geometry.setIndex(attribute(surface.triangles, Uint32Array, 1));
    if (surface.morphs.length > 0) {
        geometry.morphAttributes.position = surface.morphs.map(({ offsets }) => attribute(offsets, Float32Array, 3));
        geometry.morphTargetsRelative = true;
    }
    return geometry;
}

/** Returns the material of a surface, which depends on the attributes of its vertices. */
function dressed(material, surface) {
    const own = material.clone();
    own.vertexColors = surface.colours !== null;
    own.flatShading = surface.flat;
    if (!surface.places) own.map = null;
    if (!surface.glow_places && own.emissiveMap) own.emissiveMap = null;
    return own;
}

/** Returns {inverses, surfaces: [{geometry, material, morphs}], unreadable: names of materials with a texture that the
 * browser cannot read}, or null without a mesh. morphs: of each morph target, the joint and the axis of its curve. */
export async function readMesh(mesh, array) {
    if (!mesh) return null;
    const numbers = array(mesh.inverse_bind, Float32Array);
    const inverses = [];
    for (let at = 0; at < numbers.length; at += 12)
        inverses.push(new THREE.Matrix4().set(...numbers.subarray(at, at + 12), 0, 0, 0, 1));
    const textures = new Textures(array);
    const materials = await Promise.all(mesh.materials.map((material) => materialOf(material, textures)));
    const plain = new THREE.MeshStandardMaterial(UNDER_LIGHT);
    const surfaces = mesh.surfaces.map((surface) => ({
        geometry: geometryOf(surface, array),
        material: dressed(materials[surface.material] ?? plain, surface),
        morphs: surface.morphs,
    }));
    return { inverses, surfaces, unreadable: [...textures.unreadable] };
}
