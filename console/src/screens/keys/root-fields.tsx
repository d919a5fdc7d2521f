import { useTexts } from '../../texts/catalog.ts'
import type { Texts } from '../../texts/languages.ts'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'

type WordList = keyof Texts['keys']['wordLists']

export type Root = { readonly language: WordList; readonly password: string }
export const usualRoot: Root = { language: 'english', password: '' }

/** The choices that decide about the root besides the words. */
export const RootFields = ({
  root,
  onChange,
}: {
  readonly root: Root
  readonly onChange: (root: Root) => void
}) => {
  const t = useTexts('keys')
  return (
    <div className="pair">
      <Select
        label={t.wallet.language}
        options={(Object.keys(t.wordLists) as WordList[]).map((id) => ({ id, label: t.wordLists[id] }))}
        value={root.language}
        onChange={(language) => onChange({ ...root, language })}
      />
      <TextField
        label={t.wallet.password}
        type="password"
        autoComplete="off"
        value={root.password}
        onChange={(password) => onChange({ ...root, password })}
        hint={t.wallet.passwordHint}
      />
    </div>
  )
}
