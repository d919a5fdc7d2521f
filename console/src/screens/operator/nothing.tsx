import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/screen.tsx'

type Props = {
  /** Whether the list is narrowed; if not, there is nothing at all. */
  readonly isNarrowed: boolean
  readonly onReset: () => void
  readonly title: string
  readonly text: string
}

export const Nothing = ({ isNarrowed, onReset, title, text }: Props) => {
  const t = useTexts('operator')
  return isNarrowed ? (
    <Empty title={t.nothing}>
      <p>{t.nothingText}</p>
      <Button onPress={onReset}>{t.showAll}</Button>
    </Empty>
  ) : (
    <Empty title={title}>
      <p>{text}</p>
    </Empty>
  )
}
