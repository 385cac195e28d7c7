import { compileParameters, checkParametersSchema } from '@svc/domain/tools/parameters-schema.ts';
const props=(n:number,f:(i:number)=>any)=>Object.fromEntries(Array.from({length:n},(_,i)=>['p'+i,f(i)]));
const all=(k:number)=>({type:'object',properties:props(k,i=>({type:'string',minLength:1,maxLength:100,pattern: i<30?`^[a-z]{1,${50+i}}$`:undefined}))});
const cl=(x:any)=>JSON.parse(JSON.stringify(x));
const s1=cl(all(240)); const s2=cl({type:'object',properties:props(30,i=>({pattern:'^\\p{L}{1,'+(1+i)+'}$'}))});
const nest=(d:number):any=>d===0?{type:'integer',minimum:1,maximum:5,multipleOf:1}:{type:'object',anyOf:[nest(d-1),nest(d-1)],properties:{a:{type:'string'}}};
const s3=nest(6); s3.type='object';
const s4={type:'object',properties:props(120,i=>({type:['string','integer','array','object'],minLength:1,maxLength:9,minimum:1,maximum:4,minItems:1,maxItems:5,uniqueItems:true,format:'date-time',enum:['a','b'],required:['a','b'],minProperties:1,maxProperties:4,items:{type:'integer'}}))};
for(const [n,s] of Object.entries({s1,s2,s3,s4})){ for(let i=0;i<4;i++){ const b=process.threadCpuUsage(); const f=checkParametersSchema(s); const m=process.threadCpuUsage(b); const c=process.threadCpuUsage(); if(f.length===0){const j=compileParameters(s); j({});} const e=process.threadCpuUsage(c); console.log(n,JSON.stringify(s).length,f.slice(0,1),'check',(m.user+m.system)/1000,'compile',(e.user+e.system)/1000);} }
