import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { proveConsistency, verifyConsistency } from './consistency.ts'
import { proveInclusion, verifyInclusion } from './inclusion.ts'
import {
  emptyTree,
  edgeTilesOf,
  growTree,
  restoreTree,
  rootOf,
  type Tile,
  type TreeEdge,
} from './growing-tree.ts'
import { emptyRoot, type Hash, leafHash, nodeHash } from './merkle-hash.ts'
import { hashesOf, readNodesFromTiles, nodesOf } from './tile-reader.ts'
import { tilePath } from './tiles.ts'

const hashing = { sha256: (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()) }
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** The test entries and roots of the reference implementations of RFC 6962. */
const entries = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

/** RFC 6962 §2.1, literally, as the reference for all other code. */
const definedRoot = (leaves: readonly Hash[]): Hash => {
  const [only] = leaves
  if (only === undefined) return emptyRoot(hashing)
  if (leaves.length === 1) return only
  const split = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  return nodeHash(definedRoot(leaves.slice(0, split)), definedRoot(leaves.slice(split)), hashing)
}

const leavesOf = (count: number): Hash[] =>
  Array.from({ length: count }, (_, index) => leafHash(Buffer.from(`entry ${index}`), hashing))

/** Grows a tree in steps and stores its tiles as a log does. */
const grow = (leaves: readonly Hash[], step: number): { tree: TreeEdge; tiles: Map<string, Tile> } => {
  const tiles = new Map<string, Tile>()
  let tree = emptyTree
  for (let at = 0; at < leaves.length; at += step) {
    const grown = growTree(tree, leaves.slice(at, at + step), hashing)
    for (const tile of grown.changed) tiles.set(tilePath(tile), tile)
    tree = grown.tree
  }
  return { tree, tiles }
}

const sourceOf = (leaves: readonly Hash[]) => {
  const { tiles } = grow(leaves, leaves.length)
  const readTile = async (place: Parameters<typeof tilePath>[0]) =>
    nodesOf(tiles.get(tilePath(place))?.hashes ?? [], hashing)
  return { read: readNodesFromTiles({ size: leaves.length, readTile }), hashing }
}

describe('a Merkle tree', () => {
  test('has the published roots for the published entries', () => {
    const leaves = entries.map((entry) => leafHash(Buffer.from(entry, 'hex'), hashing))
    for (const [size, root] of roots.entries()) {
      assert.equal(hex(rootOf(growTree(emptyTree, leaves.slice(0, size), hashing).tree, hashing)), root)
    }
  })

  test('has the published audit paths and consistency proofs', async () => {
    const leaves = entries.map((entry) => leafHash(Buffer.from(entry, 'hex'), hashing))
    const source = sourceOf(leaves)
    assert.deepEqual((await proveInclusion({ index: 0, size: 8 }, source)).map(hex), [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ])
    assert.deepEqual((await proveConsistency({ oldSize: 6, newSize: 8 }, source)).map(hex), [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ])
  })

  test('grown in any steps equals the definition, and can be restored from its tiles', () => {
    const leaves = leavesOf(700)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 300 }), (size, step) => {
        const { tree, tiles } = grow(leaves.slice(0, size), step)
        assert.equal(hex(rootOf(tree, hashing)), hex(definedRoot(leaves.slice(0, size))))
        const edge = edgeTilesOf(size).map((place) => ({
          ...place,
          hashes: tiles.get(tilePath(place))?.hashes ?? [],
        }))
        assert.deepEqual(restoreTree(size, edge, hashing), tree)
      }),
      { numRuns: 60 },
    )
  })

  test('with 70,000 leaves has the tiles of C2SP tlog-tiles', () => {
    const { tiles } = grow(leavesOf(70_000), 70_000)
    const level = (wanted: number) => [...tiles.values()].filter((tile) => tile.level === wanted)
    assert.deepEqual(
      [0, 1, 2].map((at) => level(at).filter(({ width }) => width === 256).length),
      [273, 1, 0],
    )
    assert.deepEqual(
      edgeTilesOf(70_000).map(({ level: at, index, width }) => [at, index, width]),
      [
        [0, 273, 112],
        [1, 1, 17],
        [2, 0, 1],
      ],
    )
  })
})

describe('an inclusion proof', () => {
  test('verifies for every leaf and size, but not for another index, size, leaf or path', async () => {
    const leaves = leavesOf(70)
    for (let size = 1; size <= leaves.length; size += size < 20 ? 1 : 7) {
      const source = sourceOf(leaves.slice(0, size))
      const root = definedRoot(leaves.slice(0, size))
      for (const [index, leaf] of leaves.slice(0, size).entries()) {
        const path = await proveInclusion({ index, size }, source)
        const claim = { index, size, leaf, path, root }
        assert.ok(verifyInclusion(claim, hashing))
        assert.ok(!verifyInclusion({ ...claim, leaf: leaves[size] ?? new Uint8Array(32) }, hashing))
        assert.ok(!verifyInclusion({ ...claim, index: index + 1 }, hashing))
        assert.ok(!verifyInclusion({ ...claim, path: [...path, leaf] }, hashing))
        if (path.length > 0) assert.ok(!verifyInclusion({ ...claim, path: path.slice(1) }, hashing))
      }
    }
  })

  test('is rejected for impossible indexes and sizes', async () => {
    const [leaf = new Uint8Array(32)] = leavesOf(1)
    for (const [index, size] of [
      [-1, 1],
      [1, 1],
      [0, 0],
      [0.5, 1],
      [0, Number.MAX_VALUE],
      [Number.NaN, 1],
    ]) {
      assert.ok(!verifyInclusion({ index: index ?? 0, size: size ?? 0, leaf, path: [], root: leaf }, hashing))
    }
    await assert.rejects(proveInclusion({ index: 3, size: 3 }, sourceOf(leavesOf(3))), RangeError)
  })
})

describe('a consistency proof', () => {
  test('verifies for every pair of sizes, but not for another root', async () => {
    const leaves = leavesOf(40)
    for (let newSize = 1; newSize <= leaves.length; newSize += 1) {
      const source = sourceOf(leaves.slice(0, newSize))
      for (let oldSize = 0; oldSize <= newSize; oldSize += 1) {
        const proof = await proveConsistency({ oldSize, newSize }, source)
        const oldRoot = definedRoot(leaves.slice(0, oldSize))
        const newRoot = definedRoot(leaves.slice(0, newSize))
        const claim = { oldSize, newSize, oldRoot, newRoot, proof }
        assert.ok(verifyConsistency(claim, hashing), `${oldSize} to ${newSize}`)
        const forged = leafHash(Buffer.from('forged'), hashing)
        assert.ok(!verifyConsistency({ ...claim, oldRoot: forged }, hashing))
        if (oldSize > 0) assert.ok(!verifyConsistency({ ...claim, newRoot: forged }, hashing))
      }
    }
  })

  test('does not exist for a tree that shrinks', async () => {
    await assert.rejects(proveConsistency({ oldSize: 5, newSize: 4 }, sourceOf(leavesOf(5))), RangeError)
    const root = definedRoot(leavesOf(5))
    assert.ok(
      !verifyConsistency({ oldSize: 6, newSize: 5, oldRoot: root, newRoot: root, proof: [] }, hashing),
    )
  })
})

describe('reading a tree from tiles', () => {
  test('proves every sampled leaf of a tree with three tile levels', async () => {
    const leaves = leavesOf(66_000)
    const { tree } = grow(leaves, 66_000)
    const source = sourceOf(leaves)
    const root = rootOf(tree, hashing)
    for (const index of [0, 255, 256, 65_535, 65_536, 65_999]) {
      const path = await proveInclusion({ index, size: 66_000 }, source)
      assert.ok(verifyInclusion({ index, size: 66_000, leaf: leaves[index] ?? root, path, root }, hashing))
    }
  })

  test('rejects a tile that is too short', async () => {
    const read = readNodesFromTiles({
      size: 3,
      readTile: async () => nodesOf(hashesOf(new Uint8Array(32)), hashing),
    })
    await assert.rejects(read([{ level: 0, index: 2 }]), /tile\/0\/000\.p\/3 is too short/)
    assert.equal(hashesOf(new Uint8Array(96)).length, 3)
  })
})
