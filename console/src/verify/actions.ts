import { h, save } from './dom.ts'
import type { Result } from './judge.ts'
import { saveCsv } from './list.ts'
import type { Texts } from './texts/texts.ts'

type Shown = { readonly results: readonly Result[]; readonly again: () => void }

/** The actions for the results. */
export const actionsOf = (texts: Texts, { results, again }: Shown): HTMLElement => {
  const bundle = results.length === 1 ? results[0]?.proof?.bundle : undefined
  const button = (text: string, act: () => void): HTMLElement => h('button', { click: act }, text)
  const saveBundle = (): void => save('bundle.json', 'application/json', `${JSON.stringify(bundle)}\n`)
  return h(
    'div',
    { class: 'actions' },
    button(texts.checkAnother, again),
    button(texts.printPage, () => window.print()),
    button(texts.saveCsv, () => saveCsv(texts, results)),
    bundle === undefined ? undefined : button(texts.saveBundle, saveBundle),
  )
}
