import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/problem.tsx'
import { type Placed, reveal } from './findings.ts'
import { labelIn, useForm } from './form-context.ts'

/** Moves the focus to the first place to correct. */
export const focusFirst = (places: readonly Placed[]): void => {
  const parts = places.flatMap(
    ({ pointer }) => document.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`) ?? [],
  )
  const [first] = parts.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )
  const field = first?.querySelector<HTMLElement>('input:not([type=file], .input), textarea, select, .select')
  ;(field ?? first?.querySelector('button'))?.focus()
}

/** Doubts about a valid certificate: in sight what does not fit together, folded what is unusual. */
export const Doubts = ({ doubts }: { readonly doubts: readonly Placed[] }) => {
  const t = useTexts('form')
  const words = useTexts('findings')
  const form = useForm()
  const contradicting = doubts.filter(({ kind }) => kind === 'doubt')
  const unusual = doubts.filter(({ kind }) => kind === 'advice')
  return (
    <>
      {contradicting.length > 0 && (
        <Notice kind="warn">
          <p>
            <strong className="amber">{words.found(contradicting.length)}</strong>
          </p>
          <Places places={contradicting} />
        </Notice>
      )}
      {unusual.length > 0 && (
        <details className="fold">
          <summary>{t.unusualValues([...new Set(unusual.map((each) => nameOf(form, each)))])}</summary>
          <Places places={unusual} />
        </details>
      )}
    </>
  )
}

const nameOf = (form: ReturnType<typeof useForm>, { name, pointer }: Placed): string =>
  name ?? labelIn(form, pointer).text

/** Each leads to its field. A place that the form does not show yet can be opened. */
const Places = ({ places }: { readonly places: readonly Placed[] }) => {
  const form = useForm()
  return (
    <ul className="form-advice">
      {places.map((each) => (
        <li key={each.pointer + each.text}>
          <Button
            kind="quiet"
            onPress={() => {
              reveal(form, each.pointer)
              // The field is drawn first.
              setTimeout(() => focusFirst([each]), 60)
            }}
          >
            {nameOf(form, each)}
          </Button>{' '}
          {each.text}
        </li>
      ))}
    </ul>
  )
}
