/** For the interfaces, which do not import the database. */
export { isDatabaseAway } from '../../db/core/database-away.ts'
