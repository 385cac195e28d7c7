import { RE2JS } from 're2js';
import { compileSearch } from '@svc/policy/patterns/search-text.ts';
import { programOf } from '@svc/policy/patterns/pattern-program.ts';
const rnd=(()=>{let s=12345;return()=>{s=(s*1103515245+12345)&0x7fffffff;return s/0x7fffffff}})();
const gen=(f:()=>string,n=8192)=>Array.from({length:n},f).join('').slice(0,n);
const texts={ab:gen(()=>rnd()<.5?'a':'b'),uni:gen(()=>String.fromCharCode(0x4e00+Math.floor(rnd()*20000))),low:gen(()=>String.fromCharCode(97+Math.floor(rnd()*26))),a:'a'.repeat(8192), dig:gen(()=>'0123456789 -'[Math.floor(rnd()*12)]!)};
for(const s of ['a[ab]{200}[^ab]','[ab]*a[ab]{100}[^ab]','(?:.?){100}[0-9]$','^(?:.?.?.?.?.?){20}$','\\pL+\\pN','\\bx\\b','(^|[^A-Z0-9])[A-Z]{2}[0-9]{2} ?([A-Z0-9]{4} ?){2,7}','(^|[^0-9])[3-6]([ -]?[0-9]){12,18}($|[^0-9])','^abc','(?i)drop\\s+table','\\.(read|list|get|search)$','(?:[ab]?[ab]?[ab]?){80}[^ab]','(?:a?b?){100}c$','(?:(?:a|b)(?:a|b)?){60}c','\\b(?:[ab]?){100}\\b[^ab]']){
 const re=RE2JS.compile(s); const a0=performance.now(); const c=compileSearch(programOf(re)!)!; const b=performance.now()-a0;
 const out:string[]=[];
 for(const [n,t] of Object.entries(texts)){ let best=1e9,worst=0,r;for(let i=0;i<4;i++){const a=performance.now();r=c.found(t);const d=performance.now()-a;best=Math.min(best,d);worst=Math.max(worst,d)}
  out.push(`${n} ${(best*1e6/8192).toFixed(0)}`); if(r!==re.test(t)) console.log('DIFF',s,n,r);}
 console.log(s.padEnd(50),re.programSize(),'build',b.toFixed(2),'price',c.perCharacter,'kB',(c.bytes/1000).toFixed(0),'|',out.join(', '));
}
