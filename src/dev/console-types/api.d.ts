import type { components, operations } from './openapi';

declare global {
  /** Names the responses of the REST API, for the JSDoc comments of the console. */
  namespace Api {
    type About = components['schemas']['About'];
    type AuditEntry = components['schemas']['AuditEntry'];
    type Batch = components['schemas']['Batch'];
    type BulkResult = components['schemas']['BulkResult'];
    type Count = components['schemas']['Count'];
    type Encryption = operations['showEncryption']['responses'][200]['content']['application/json'];
    type Job = components['schemas']['Job'];
    type JobFacets = components['schemas']['JobFacets'];
    type JobPage = operations['listJobs']['responses'][200]['content']['application/json'];
    type JobType = components['schemas']['JobType'];
    type Listener = components['schemas']['Listener'];
    type Node = components['schemas']['Node'];
    type Overview = components['schemas']['Overview'];
    type Queue = components['schemas']['Queue'];
    type Rule = components['schemas']['Rule'];
    type RuleRun = components['schemas']['RuleRun'];
    type Run = components['schemas']['Run'];
    type Schedule = components['schemas']['Schedule'];
    type Session = components['schemas']['Session'];
    type Throughput = components['schemas']['Throughput'];
    type Times = components['schemas']['Times'];
    type TypeThroughput = components['schemas']['TypeThroughput'];
    type ThroughputBreakdown = components['schemas']['ThroughputBreakdown'];
  }
}
