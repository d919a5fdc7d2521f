import { useQuery } from '@tanstack/react-query'
import { useLanguage, useTexts } from '../../texts/catalog.ts'
import { Notice } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { formQuery, kindOf } from '../form/begin.ts'
import { labelIn } from '../form/form-context.ts'
import { below, type Json, isPosition, partsOf, readJson, textOf, valueAt } from '../form/json.ts'
import { differencesOf } from './differences.ts'

const mostNames = 3

const schemaOf = (certificate: Json): string => textOf(valueAt(certificate, '/RefSchemaUrl'))

/** The name of a value: after those of the groups around it, up to one that has a code, because many are called *Value*. */
const nameIn = (form: Parameters<typeof labelIn>[0], pointer: string): string => {
  const names: string[] = []
  const parts = partsOf(pointer)
  for (let length = parts.length; length > 0 && names.length < mostNames; length -= 1) {
    if (isPosition(parts[length - 1] ?? '')) continue
    const { code, text } = labelIn(form, below('', ...parts.slice(0, length)))
    const position = parts[length] ?? ''
    const at = isPosition(position) ? ` ${Number(position) + 1}` : ''
    names.unshift(code === undefined ? text + at : `${code} ${text}${at}`)
    if (code !== undefined) break
  }
  return names.join(' › ')
}

/** Lists what the new certificate says otherwise, by the names of the form. */
export const Differences = ({ former, next }: { readonly former: string; readonly next: string }) => {
  const t = useTexts('replace')
  const language = useLanguage()
  const [before, after] = [readJson(former), readJson(next)]
  const kind = kindOf(schemaOf(after))
  const { data: form } = useQuery({
    ...formQuery(kind?.family ?? '', kind?.version ?? '', language),
    enabled: kind !== undefined,
  })
  if (kind?.family !== kindOf(schemaOf(before))?.family) return <Notice kind="warn">{t.otherKind}</Notice>
  const found = differencesOf(before, after)
  if (found.length === 0) return <Notice kind="warn">{t.same}</Notice>
  const nameOf = (pointer: string): string => nameIn({ labels: form?.labels ?? {}, language }, pointer)
  return (
    <Card title={t.differences(found.length)}>
      <table className="differences">
        <thead>
          <tr>
            <th scope="col">{t.place}</th>
            <th scope="col">{t.former}</th>
            <th scope="col">{t.next}</th>
          </tr>
        </thead>
        <tbody>
          {found.map(({ pointer, before: old, after: now }) => (
            <tr key={pointer}>
              <th scope="row" title={pointer}>
                {nameOf(pointer)}
              </th>
              <td>{old === undefined ? <span className="muted">{t.nothing}</span> : <del>{old}</del>}</td>
              <td>{now === undefined ? <span className="muted">{t.nothing}</span> : <ins>{now}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
