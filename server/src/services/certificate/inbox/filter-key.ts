import { plainLine } from '@millseal/proof'

/** As filters compare numbers, suppliers and heats: a text of the database cannot have every character of JSON. */
export const filterKey = (text = ''): string => plainLine(text).toLowerCase()
