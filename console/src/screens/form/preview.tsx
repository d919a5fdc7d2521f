import { useTexts } from '../../texts/catalog.ts'
import { Paper } from '../../ui/paper.tsx'

/** The page as the customer will see it. The last valid one stays until there is another. */
export const Preview = ({ html, language }: { readonly html: string; readonly language: string }) => (
  <Paper html={html} label={useTexts('form').page} language={language} />
)
