/** In a draft, what a required value that is missing is shown as. */
export const dash = '–'
