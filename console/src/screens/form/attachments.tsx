import { lazy, Suspense } from 'react'
import { useTexts } from '../../texts/catalog.ts'
import type { EmbeddedFile } from '../../ui/embedded-files.tsx'
import { useForm } from './form-context.ts'
import { isList, isObject, type Json } from './json.ts'
import type { ObjectShape } from './schema.ts'
import { useValue } from './store.ts'

/** Most certificates have no files. */
const EmbeddedFiles = lazy(async () => ({
  default: (await import('../../ui/embedded-files.tsx')).EmbeddedFiles,
}))

const filesIn = (value: Json | undefined): readonly EmbeddedFile[] =>
  (isList(value) ? value : [value])
    .filter(isObject)
    .filter(({ Data }) => typeof Data === 'string') as readonly EmbeddedFile[]

export const Attachments = ({
  pointer,
  label,
  shape,
  isMany,
}: {
  readonly pointer: string
  readonly label: string
  readonly shape: ObjectShape
  readonly isMany: boolean
}) => {
  const { store } = useForm()
  const { attachments } = useTexts('form')
  return (
    <Suspense>
      <EmbeddedFiles
        label={label}
        texts={attachments}
        names={new Set(shape.properties.keys())}
        isMany={isMany}
        files={filesIn(useValue(store, pointer))}
        onChange={(files) => store.set(pointer, isMany && files.length > 0 ? files : files[0])}
      />
    </Suspense>
  )
}
