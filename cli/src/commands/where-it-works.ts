/** A sentence of every command that needs no server. */
export const whereItWorks = `Works in the data folder (MILLSEAL_DATA_DIR) whether or not a server runs there, or in the database of DATABASE_URL.
millseal serve --help lists all settings.`
