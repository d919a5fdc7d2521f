import { Link } from '@tanstack/react-router'
import { Empty } from './screen.tsx'

/** Replaces the content for somebody without a company. */
export const NeedsCompany = ({
  title,
  text,
  action,
}: {
  readonly title: string
  readonly text?: string
  /** The words on the button that leads to founding one. */
  readonly action: string
}) => (
  <Empty title={title}>
    {text !== undefined && <p>{text}</p>}
    <Link to="/company/new" className="button primary">
      {action}
    </Link>
  </Empty>
)
