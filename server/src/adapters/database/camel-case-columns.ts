import { CamelCasePlugin } from 'kysely'

/** The one mapping between columns and properties. Keys inside JSON values stay as they are. */
export const camelCaseColumns = new CamelCasePlugin({ maintainNestedObjectKeys: true })
