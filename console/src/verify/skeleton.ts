import { h } from './dom.ts'
import { type Language, otherLanguages, textsIn } from './texts/languages.ts'
import type { Texts } from './texts/texts.ts'

/** The parts of the page that stay while their content changes. */
export type Skeleton = {
  readonly root: HTMLElement
  readonly file: HTMLInputElement
  readonly paper: HTMLElement
  readonly progress: HTMLElement
  readonly given: HTMLElement
  readonly result: HTMLElement
  readonly verdict: HTMLElement
  readonly why: HTMLElement
  readonly body: HTMLElement
  readonly video: HTMLElement
}

type Wanted = {
  readonly language: Language
  readonly isPage: boolean
  readonly isOnline: boolean
  readonly choose: (files: FileList) => void
  /** Undefined if the page has a policy of its own. */
  readonly choosePolicy: ((files: FileList) => void) | undefined
  readonly chooseLanguage: (language: Language) => void
  /** Undefined if the browser cannot read codes. */
  readonly camera: (() => void) | undefined
}

export const skeletonOf = (texts: Texts, wanted: Wanted): Skeleton => {
  const { language, isOnline, camera } = wanted
  const file = fileInput('file', wanted.choose)
  const verdict = h('h2', { id: 'verdict', tabindex: '-1' })
  const why = h('p', { id: 'why' })
  const body = h('div', { class: 'body' })
  const result = h(
    'section',
    { id: 'result', 'aria-labelledby': 'verdict', hidden: true },
    verdict,
    why,
    body,
  )
  const paper = h('section', { id: 'paper', role: 'status', 'aria-label': texts.paper.title })
  const progress = h('p', { id: 'progress', role: 'status', class: 'muted' })
  const given = h('div', { role: 'status' })
  const video = h('div', { class: 'video' })
  const cameraButton = camera && h('button', { id: 'camera', click: camera }, texts.scanCode)
  const root = h(
    'div',
    { class: 'page', lang: language },
    wanted.isPage ? barOf(wanted) : undefined,
    h(wanted.isPage ? 'h1' : 'h2', {}, texts.title),
    paper,
    h('div', { class: 'live', 'aria-live': 'polite' }, result),
    progress,
    given,
    dropField(texts, file, wanted),
    video,
    cameraButton ?? (isOnline ? h('p', { class: 'muted' }, texts.cameraHint) : undefined),
    h('p', { class: 'muted' }, texts.staysHere),
    ...policyField(texts, wanted),
  )
  return { root, file, paper, progress, given, result, verdict, why, body, video }
}

/** The way home, and the other languages. Files and verdicts stay. */
const barOf = ({ language, isOnline, chooseLanguage }: Wanted): HTMLElement =>
  h(
    'nav',
    {},
    isOnline ? h('a', { href: '/' }, 'Millseal') : undefined,
    ...otherLanguages(language).map((other) =>
      h('button', { lang: other, click: () => chooseLanguage(other) }, textsIn(other).name),
    ),
  )

const policyField = (texts: Texts, { choosePolicy }: Wanted): readonly HTMLElement[] => {
  if (choosePolicy === undefined) return []
  const policy = fileInput('policy', choosePolicy)
  policy.multiple = false
  return [h('label', { for: 'policy', class: 'second' }, texts.policy), policy]
}

const dropField = (texts: Texts, file: HTMLInputElement, wanted: Wanted): HTMLElement => {
  const folder = fileInput('folder', wanted.choose)
  folder.webkitdirectory = true
  return h(
    'div',
    { class: 'drop' },
    h(
      'label',
      { for: 'file', class: 'choose' },
      h('b', {}, texts.dropFiles),
      h('span', { class: 'muted' }, texts.dropMore),
    ),
    file,
    // Phones offer their files one by one.
    ...(matchMedia('(any-pointer:fine)').matches
      ? [h('label', { for: 'folder', class: 'second' }, texts.chooseFolder), folder]
      : []),
  )
}

const fileInput = (id: string, choose: Wanted['choose']): HTMLInputElement => {
  const input: HTMLInputElement = h('input', {
    id,
    type: 'file',
    multiple: true,
    change: () => {
      if (input.files !== null) choose(input.files)
      // The same file again, which may have changed, is a new choice.
      input.value = ''
    },
  })
  return input
}
