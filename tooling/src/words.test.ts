import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findHalfSentences, findRefusedWords, refused } from './words.ts'

describe('refused words', () => {
  for (const word of refused) {
    test(`are found: ${word}`, () => {
      assert.deepEqual(findRefusedWords('a.ts', `export {}\n// So it ${word} here.\n`), [{ line: 2, word }])
    })
  }

  for (const [path, text] of [
    ['a.ts', 'const a = 1 /* It is\n * told. */'],
    ['a.ts', 'export const a = "It is told of it."'],
    ['a.ts', 'export const a = `It is told of ${1} of them.`'],
    ['a.tsx', 'export const a = <p>It is told of it.</p>'],
    ['a.sh', 'echo 1 # It is told.'],
    ['script/a', '# It is told.'],
    ['a.sql', 'select 1; -- It is told.'],
    ['a.typ', '#let a = 1 // It is told.'],
    ['a.typ', '/* It is\n told. */'],
    ['a.go', 'x := 1 // It is told.'],
    ['a.go', '/* It is\n told. */'],
    ['a.py', 'x = 1  # It is told.'],
    ['a.py', '"""It\n  is told."""'],
    ['a.md', 'It is told.'],
    ['a.md', 'It\nis\ntold.'],
    ['a.md', '```\ncode\n```\nIt is told `code`.'],
  ] as const) {
    test(`are found in ${path}: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(
        findRefusedWords(path, text).map(({ word }) => word),
        ['is told'],
      )
    })
  }

  for (const [path, text] of [
    ['a.ts', 'const whoever = 1; whoever.anew(`${whoever}`)'],
    ['a.ts', "import a from './meanwhile/anew.ts'"],
    ['a.ts', '// a house renewed, and told'],
    ['a.sh', 'meanwhile --anew "$#whoever"'],
    ['a.go', 'meanwhile := anew("https://whoever")'],
    ['a.py', 'meanwhile = anew("whoever#anew")'],
    ['a.sql', 'select anew from meanwhile'],
    ['a.md', 'Call `whoever`:\n\n```sh\nmeanwhile\n```\n'],
  ] as const) {
    test(`are not found in code: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(findRefusedWords(path, text), [])
    })
  }
})

describe('half sentences in comments of the console', () => {
  const foundIn = (text: string, path = 'console/src/a.ts') => findHalfSentences(path, text)

  for (const [comment, word] of [
    ['/** What others issued to the company. */', 'What'],
    ['/** Whether the dialog is open. */', 'Whether'],
    ['/** Who is here, for which company. */', 'Who'],
    ['/**\n * How often a certificate\n * is read again.\n */', 'How'],
    ['/** Of the cell in a row. */', 'Of'],
    ['/** As the contract has it. */', 'As'],
    ['/** With the recovery codes: it is the first factor, and the last. */', 'With'],
    ['// By what the ledger says.\n// The rest.', 'By'],
    ['{/* For phones. */}', 'For'],
  ] as const) {
    test(`are found: ${JSON.stringify(comment)}`, () => {
      assert.deepEqual(foundIn(`export {}\n${comment}\n`), [{ line: 2, word }])
    })
  }

  test('are not found in sentences, noun phrases and later lines, nor in folders that nobody read aloud yet', () => {
    for (const comment of [
      '/** Certificates that others issued. */',
      '/** As long as it waits, it asks again. */',
      '/** To add a language, add a file. */',
      '// The reader sees\n// what it says.',
      '/**\n * The person, in the company\n * of the address.\n */',
    ])
      assert.deepEqual(foundIn(`${comment}\n`), [], comment)
    assert.deepEqual(foundIn('// What it is.\n', 'server/src/a.ts'), [])
  })
})
