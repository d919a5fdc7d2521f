/** A pattern of LIKE for texts that contain this one. Compare it with texts in lower case. */
export const containing = (text: string): string =>
  `%${text
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
