import { bodyOf, headlineIn } from './card.ts'
import { h, save } from './dom.ts'
import type { Result } from './judge.ts'
import { summaryOf } from './summary.ts'
import type { Texts } from './texts/texts.ts'

/** One line for each file, which opens. */
export const listOf = (texts: Texts, results: readonly Result[]): readonly HTMLElement[] => {
  const lines = results.map((result) => ({ result, ...headlineIn(texts, result) }))
  const counts = new Map<string, number>()
  for (const { says } of lines) counts.set(says, (counts.get(says) ?? 0) + 1)
  return [
    h('p', { class: 'about' }, [...counts].map(([says, count]) => `${count} × ${says}`).join(' · ')),
    ...lines.map(({ result, tone, says, why }) => {
      const details = h(
        'details',
        { class: 'item', 'data-verdict': tone },
        h('summary', {}, h('span', { class: 'name' }, result.name), h('b', {}, says)),
        h('p', {}, why),
      )
      // A file is drawn when somebody opens it, because there may be thousands.
      details.addEventListener('toggle', () => details.append(...withoutIds(bodyOf(texts, result))), {
        once: true,
      })
      return details
    }),
  ]
}

const withoutIds = (parts: readonly HTMLElement[]): readonly HTMLElement[] => {
  for (const part of parts) for (const one of part.querySelectorAll('[id]')) one.removeAttribute('id')
  return parts
}

/** A table for a spreadsheet. */
export const saveCsv = (texts: Texts, results: readonly Result[]): void => {
  const rows = results.map((result) => {
    const { number, heat, order, date } = summaryOf(result.paper?.certificate)
    const report = result.outcome.kind === 'report' ? result.outcome.report : undefined
    const facts = report?.answers.unchanged === 'yes' ? report.facts : undefined
    return [
      result.name,
      headlineIn(texts, result).says,
      number,
      heat,
      order,
      date,
      facts?.issuer.answer === 'yes' ? facts.issuer.name : undefined,
      facts?.time,
      facts?.asOf,
      result.paper?.hash,
    ]
  })
  const { certificate, heat, order, date, facts } = texts
  const columns = [certificate, heat, order, date, facts.issuer, facts.recorded, facts.asOf, 'SHA-256']
  const text = [[...texts.columnNames, ...columns], ...rows]
    .map((row) => row.map(cellOf).join(';'))
    .join('\r\n')
  save('millseal.csv', 'text/csv', `\uFEFF${text}\r\n`)
}

/** A spreadsheet would run a text that begins like a formula. */
const cellOf = (text = ''): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
