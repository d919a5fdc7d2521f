import { useTexts } from '../../../texts/catalog.ts'
import { Button } from '../../../ui/button.tsx'

export const StopButton = ({ onStop }: { readonly onStop: () => void }) => {
  const t = useTexts('common')
  return (
    <Button kind="quiet" onPress={onStop}>
      {t.cancel}
    </Button>
  )
}
