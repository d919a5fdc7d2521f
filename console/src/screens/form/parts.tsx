import { lazy } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { AddMenu } from './add-menu.tsx'
import { Attachments } from './attachments.tsx'
import { codecOf } from './codec.ts'
import { Field, LabelText } from './field.tsx'
import { fileShapeOf } from './file-shape.ts'
import {
  addedTo,
  addTo,
  isParty,
  labelIn,
  lookOf,
  takeFrom,
  useAdded,
  useFindings,
  useForm,
} from './form-context.ts'
import { below, parentOf } from './json.ts'
import { childOf, isWhole, type Part, partsOfGroup, type Place } from './outline.ts'
import { Rows } from './rows.tsx'
import { type Schemas, shapeOf } from './schema.ts'
import { useOutline } from './store.ts'
import { Table } from './table.tsx'
import { codedIn, specsOf } from './tables.ts'

// Loads beside the form, which appears with it: nothing moves below somebody who types.
const ownCompany = import('./own-company.tsx')
const OwnCompany = lazy(async () => ({ default: (await ownCompany).OwnCompany }))

type GroupProps = {
  readonly pointer: string
  readonly schemas: Schemas
  readonly place: Place
  /** Parts that a table shows already. */
  readonly without?: readonly string[] | undefined
  /** The title of the section, for what can be added to it. */
  readonly section?: string
}

/** The parts of a group: those that the schema demands, those with a value, and those that somebody added. */
export const Parts = ({ pointer, schemas, place, without = [], section = '' }: GroupProps) => {
  const form = useForm()
  const { store, root, given, usual, added } = form
  useAdded(pointer)
  const value = store.at(pointer)
  const shape = shapeOf(root, schemas, value)
  useOutline(store, pointer, shape.kind === 'object' ? [...shape.choices.keys()] : [])
  if (shape.kind !== 'object') return null
  const all = partsOfGroup({
    shape,
    place,
    pointer,
    value,
    // Certificates are mailed to their receivers, so the address is asked for from the start.
    addedTo: (at) =>
      isParty(form, at) && store.at(below(at, 'Emails')) === undefined
        ? [...addedTo(added, at), 'Email']
        : addedTo(added, at),
    root,
    given,
    usual,
  })
  const parts = {
    shown: all.shown.filter(({ name }) => !without.includes(name)),
    hidden: all.hidden.filter(({ name }) => !without.includes(name)),
  }
  const isField = ({ schemas: inner, name }: Part): boolean =>
    codecOf(root, inner, store.at(below(pointer, name))) !== undefined
  const fields = parts.shown.filter(isField)
  const blocks = parts.shown.filter((part) => !isField(part))
  return (
    <>
      {fields.length > 0 && (
        <div className="pair">
          {fields.map((part) => (
            <FieldPart key={part.name} pointer={below(pointer, part.name)} part={part} />
          ))}
        </div>
      )}
      {blocks.map((part) => (
        <Block
          key={part.name}
          pointer={below(pointer, part.name)}
          part={part}
          place={childOf(place, part.name)}
          isOnly={blocks.length === 1 && !isWhole(place)}
        />
      ))}
      {parts.hidden.length > 0 && (
        <AddMenu
          of={pointer === '' ? section : labelIn(form, pointer).text}
          options={parts.hidden.map(({ name }) => ({ id: name, ...labelIn(form, below(pointer, name)) }))}
          onAdd={(name) => addTo(added, pointer, name)}
          focus={(name) => below(pointer, name)}
        />
      )}
    </>
  )
}

const FieldPart = ({ pointer, part }: { readonly pointer: string; readonly part: Part }) => {
  const form = useForm()
  const codec = codecOf(form.root, part.schemas, form.store.at(pointer))
  if (codec === undefined) return null
  return <Field pointer={pointer} label={labelIn(form, pointer)} codec={codec} isRequired={part.isRequired} />
}

type BlockProps = {
  readonly pointer: string
  readonly part: Part
  readonly place: Place
  /** The only block of its group needs no heading of its own. */
  readonly isOnly: boolean
}

const Block = ({ pointer, part: { name, schemas, isRequired }, place, isOnly }: BlockProps) => {
  const form = useForm()
  const { store, root, added } = form
  const t = useTexts('form')
  const findings = useFindings(pointer)
  const shape = shapeOf(root, schemas, store.at(pointer))
  const label = labelIn(form, pointer)
  const file = fileShapeOf(root, shape.kind === 'list' ? shape.items : schemas)
  const wasAdded = useAdded(parentOf(pointer)).includes(name)
  const hasHeading = !isOnly || wasAdded
  const coded = shape.kind === 'object' ? codedIn(root, shape) : undefined
  const [spec] = coded === undefined ? [] : (specsOf(root, coded.entry) ?? [])
  return (
    <section className={hasHeading ? 'form-block' : 'form-part'} data-pointer={pointer}>
      {hasHeading && (
        <div className="row">
          <h3>
            <LabelText {...label} />
          </h3>
          <OwnCompany pointer={pointer} schemas={schemas} />
          {!isRequired && (
            <Button
              kind="quiet"
              className="end"
              aria-label={`${t.remove}: ${label.text}`}
              onPress={() => {
                store.set(pointer, undefined)
                takeFrom(added, parentOf(pointer), name)
              }}
            >
              {t.remove}
            </Button>
          )}
        </div>
      )}
      {coded?.names !== undefined && spec !== undefined && (
        <Table list={pointer} keys={coded.names} specs={[spec]} label={label} />
      )}
      {file !== undefined ? (
        <Attachments pointer={pointer} label={label.text} shape={file} isMany={shape.kind === 'list'} />
      ) : shape.kind === 'list' ? (
        <Rows pointer={pointer} label={label} items={shape.items} place={childOf(place, '*')} Group={Parts} />
      ) : (
        <Parts pointer={pointer} schemas={schemas} place={place} without={coded?.names} />
      )}
      {findings
        .filter(({ kind }) => kind !== 'missing' || form.showsMissing)
        .map(({ text, kind }) => (
          <p key={text} className={lookOf[kind]}>
            {text}
          </p>
        ))}
    </section>
  )
}
