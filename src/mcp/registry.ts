import type { Tool } from './tool.ts'
import { getApiCredentialStatus, getMigrationReference, whoami } from './tools/account.ts'
import { compareItemTool, getCatalogItemTool, getItemHistoryTool, searchCatalog } from './tools/catalog.ts'
import { countCatalogTool, estimateMigration, getRunForecast } from './tools/estimates.ts'
import { getIssueTool, listRunIssues, searchIssuesTool, summarizeRunIssues } from './tools/issues.ts'
import { getRunPhase, listRunComponents, listRunPhases } from './tools/phases.ts'
import {
  compareRuns,
  getMigrationOverview,
  getRun,
  getRunProgress,
  getRunSettings,
  getRunTimelineTool,
  listRuns,
} from './tools/runs.ts'
import { checkStoreAccessTool, getStore, getStorefrontTool, listStorefronts, listStores } from './tools/stores.ts'
import { getVerifyReport } from './tools/verify-report.ts'

/** Every tool, one line each, in the order of `tools/list`. */
export const tools: readonly Tool[] = [
  whoami,
  getApiCredentialStatus,
  getMigrationReference,
  listStores,
  getStore,
  checkStoreAccessTool,
  listStorefronts,
  getStorefrontTool,
  getMigrationOverview,
  listRuns,
  getRun,
  getRunProgress,
  getRunSettings,
  getRunTimelineTool,
  compareRuns,
  listRunPhases,
  getRunPhase,
  listRunComponents,
  summarizeRunIssues,
  listRunIssues,
  getIssueTool,
  searchIssuesTool,
  getRunForecast,
  estimateMigration,
  countCatalogTool,
  searchCatalog,
  getCatalogItemTool,
  compareItemTool,
  getItemHistoryTool,
  getVerifyReport,
]
